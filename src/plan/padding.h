/* Statements that compute with what is in the padding of buffers. */
#ifndef PLAN_PADDING_H
#define PLAN_PADDING_H

#include "program/program.h"

/* An operation of statement, a division or one that may overflow, that for some of the instances in extra could be
 * undefined in C when its operands are whatever is in padding; NULL: there is none. Elements that nothing in program
 * writes are zeros. */
const struct expr *padding_trap(const struct program *program, const struct statement *statement,
                                __isl_keep isl_set *extra);

#endif
