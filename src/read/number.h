/* One element of a const array: a JSON value as the bytes of its type. */
#ifndef READ_NUMBER_H
#define READ_NUMBER_H

#include "read/reader.h"

/* Stores value at byte, little-endian; false after reporting that it is no value of the type. Reals are rounded
 * once, from the digits as written. */
bool read_element(struct reader *reader, const struct value *value, enum type type, unsigned char *byte);
/* The element as an integer (floats: 0): what "values" of an index array are about. */
int64_t element_integer(enum type type, const unsigned char *byte);

#endif
