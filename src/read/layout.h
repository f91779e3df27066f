/* Layouts of arrays: orders of dimensions, strides, blocks. */
#ifndef READ_LAYOUT_H
#define READ_LAYOUT_H

#include "read/reader.h"

enum { MAX_RANK = 16 };

extern const struct argument form_layout[];

/* Dimensions in their own order, or the opposite one. */
void set_order(struct reader *reader, struct array *array, bool reverse);
/* Reads "layout" into the array, whose role and shape are known. */
void read_layout(struct reader *reader, const struct value *layout, void *array);

#endif
