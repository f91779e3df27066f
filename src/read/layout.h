/* Layouts of arrays: orders of dimensions, strides, blocks. */
#ifndef READ_LAYOUT_H
#define READ_LAYOUT_H

#include "read/reader.h"

enum { MAX_RANK = 16 };

/* Reads "layout" into array, whose role and shape are known. */
void read_layout(struct reader *reader, const struct value *object, struct array *array);

#endif
