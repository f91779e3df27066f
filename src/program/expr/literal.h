/* Literals: folding them among themselves, and giving them a type they must fit. */
#ifndef PROGRAM_EXPR_LITERAL_H
#define PROGRAM_EXPR_LITERAL_H

#include "program/expr/expr.h"

/* The value of an operator on one or two untyped literals as one literal: integers as C's without
 * overflow, otherwise doubles. NULL after reporting a fault (overflow, division by zero). */
struct expr *literal_fold(struct arena *arena, struct diags *diags, const struct expr *expr);
/* The literal in a type: an integer must be in its range; a real is rounded to it. A real literal
 * needs a floating-point type. NULL after reporting a fault. */
struct expr *literal_settle(struct arena *arena, struct diags *diags, const struct expr *literal, enum type type);
/* Is the real literal without its fraction one of the values of the integer type (or the type bool)? False after
 * reporting that it is not. */
bool literal_check_whole(struct diags *diags, const struct expr *literal, enum type type);

#endif
