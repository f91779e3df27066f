/* The outline of an order: a line for each loop and each statement, and what steps change of these lines. */
#ifndef REPORT_OUTLINE_H
#define REPORT_OUTLINE_H

#include "sched/order.h"

/* Adds "for jj < 2048 by 16  [vector]" for each loop - up to where a full tile goes, from one iteration to the next,
 * and what the plan makes of it - and "S0: C[i, j] += A[i, k] * Bp[..]" for each (part of a) statement.
 * program: what the order is of. */
void report_outline(const struct program *program, const struct order *order, struct text *out);

/* Adds "C[i, j] += A[i, k] * Bp[..]": the subscripts of buffers are the plan's business. */
void report_assignment(const struct program *program, const struct statement *statement, struct text *out);

/* Adds the lines of `now`, "+ " in front of those that are not in `then`, but for their indentation; with `gone` also
 * those that are in `then` only, behind "- ". then: NULL where nothing was before. */
void report_changes(const char *then, const char *now, bool gone, struct text *out);

#endif
