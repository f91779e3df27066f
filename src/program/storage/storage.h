/* Explicit strides: every element has a place of its own, none is before the array's start. */
#ifndef PROGRAM_STORAGE_STORAGE_H
#define PROGRAM_STORAGE_STORAGE_H

#include "program/program.h"

/* Reports what is wrong with the strides and offset of array, if it has any.
 * Constant strides are decided exactly. Parametric ones are proved when the dimensions have an order in
 * which every stride exceeds the span of all faster dimensions together, and refused otherwise. */
void check_storage(const struct program *program, const struct array *array, struct diags *diags);

#endif
