/* "data" of const arrays: a list, nested as the shape or flat, or a file. */
#ifndef READ_DATA_H
#define READ_DATA_H

#include "read/reader.h"

extern const struct argument form_data[];

/* Reads the elements of the array, whose shape is known, if its role is const; otherwise refuses "data". An array of
 * integers gets the range of its elements as "values". */
void read_data(struct reader *reader, const struct value *data, void *array);
/* Reports a const array that has no data. */
void check_data(struct reader *reader, const struct value *object, const struct array *array);

#endif
