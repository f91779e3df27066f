/* An array with more dimensions. */
#ifndef PROGRAM_STORAGE_GROW_H
#define PROGRAM_STORAGE_GROW_H

#include "program/program.h"

/* Puts n dimensions of these extents in before dimension `at`. In memory they are the slowest; the others keep their
 * order and blocks, and strides are given up. */
void array_insert_dims(struct arena *arena, struct array *array, int at, struct expr *const *extent, int n);

#endif
