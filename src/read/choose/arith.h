/* Arithmetic on tunables: "tile * 4", "unroll <= tile and tile % 8 == 0". */
#ifndef READ_CHOOSE_ARITH_H
#define READ_CHOOSE_ARITH_H

#include "read/reader.h"

/* The value of a name of length bytes, in *value; false when it has none, after reporting that at place. */
typedef bool arith_name(void *user, const char *name, size_t length, struct place place, int64_t *value);

/* The value of length bytes of a string's text from start on; conditions are 0 or 1. False after reporting a fault. */
bool arith_value(struct reader *reader, const struct value *string, size_t start, size_t length, arith_name *name,
                 void *user, int64_t *value);

#endif
