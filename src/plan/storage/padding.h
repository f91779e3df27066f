/* Statements that compute with what is in the padding of buffers. */
#ifndef PLAN_STORAGE_PADDING_H
#define PLAN_STORAGE_PADDING_H

#include "program/program.h"

/* An operation of statement, a division or one that may overflow, that for some of the instances in extra could be
 * undefined in C when its operands are whatever is in padding; NULL: there is none. Elements that nothing in program
 * writes are zeros. */
const struct expr *padding_trap(const struct program *program, const struct statement *statement,
                                __isl_keep isl_set *extra);
/* { A[a] : something in program writes it } */
__isl_give isl_set *padding_written(const struct program *program, const struct array *array);
/* Is it an update that leaves its element as it is for all instances in extra, since what it adds is zero there? Of
 * floats, the sign of a zero may change: only where sums may be regrouped, which does that, too. */
bool padding_adds_zero(const struct program *program, const struct statement *statement, __isl_keep isl_set *extra);

#endif
