/* Which elements of an `out` array a program writes: its contract with the caller. */
#ifndef PROGRAM_CHECK_WRITTEN_H
#define PROGRAM_CHECK_WRITTEN_H

#include "program/program.h"

/* By array: NULL when it is no `out` array or all its elements are written for all parameters, else what is
 * written, such as "i0 <= i1" about the element's subscripts, or "" when that has no short form. */
const char *const *program_written(struct arena *arena, const struct program *program);

/* Is it proved that every element is written? */
bool array_is_all_written(const struct program *program, const struct array *array);

#endif
