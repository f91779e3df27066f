/* The outline of an order: a line for each loop and each statement. */
#ifndef REPORT_LISTING_OUTLINE_H
#define REPORT_LISTING_OUTLINE_H

#include "sched/order.h"

/* Adds "for jj < 2048 by 16  [vector]" for each loop - up to where a full tile goes, from one iteration to the next,
 * and what the plan makes of it - and "S0: C[i, j] += A[i, k] * Bp[..]" for each (part of a) statement.
 * program: what the order is of. */
void report_outline(const struct program *program, const struct order *order, struct text *out);

/* Adds "C[i, j] += A[i, k] * Bp[..]": the subscripts of buffers are the plan's business. */
void report_assignment(const struct program *program, const struct statement *statement, struct text *out);

#endif
