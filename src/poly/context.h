/* The isl context of one compilation: its options, its budget and what went wrong in it.
 *
 * isl objects become NULL after any error and functions pass NULL through, so a stage computes in
 * a straight chain and asks poly_status once at its end.
 */
#ifndef POLY_CONTEXT_H
#define POLY_CONTEXT_H

#include "base/diag.h"

#include <isl/ctx.h>

/* A context with every option set that polynest relies on (the only place that sets any).
 * operations: the budget of isl operations for each stage, 0 = unlimited. NULL without memory. */
isl_ctx *poly_context_new(unsigned long operations);
/* Frees the context; in debug builds (without NDEBUG) a leaked isl object aborts. */
void poly_context_free(isl_ctx *ctx);

/* Starts a stage: its budget is full again and earlier errors are forgotten. */
void poly_begin(isl_ctx *ctx);
/* STATUS_OK, STATUS_UNDECIDED (the budget ran out) or STATUS_ENVIRONMENT (isl failed); the latter two
 * are reported to diags with the stage's name ("checking the order"). */
enum status poly_end(isl_ctx *ctx, struct diags *diags, const char *stage);
/* The same of what stands at place; easier: what else would help where the budget ran out. */
enum status poly_end_at(isl_ctx *ctx, struct diags *diags, struct place place, const char *stage, const char *easier);
/* Has the budget run out since poly_begin? Forgets any other error. */
bool poly_budget_spent(isl_ctx *ctx);

/* For work that may be left out: until poly_part_end isl has at most so many operations, also where there is no budget.
 * Returns the budget, which poly_part_end takes. There must be no error yet. */
unsigned long poly_part_begin(isl_ctx *ctx, unsigned long most);
/* The whole budget again. False: isl has failed, mostly for want of operations, and that is forgotten. */
bool poly_part_end(isl_ctx *ctx, unsigned long budget);

#endif
