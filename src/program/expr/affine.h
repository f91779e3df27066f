/* Affine expressions of bounds, subscripts and conditions as isl objects.
 *
 * Values are exact integers: `/` and `%` are floor division and modulo, the divisor is a positive
 * constant. A space here is a set space whose parameters are the program's, in declared order, and
 * whose dimension d is loop d; a parameter space when there are no loops.
 */
#ifndef PROGRAM_EXPR_AFFINE_H
#define PROGRAM_EXPR_AFFINE_H

#include "program/expr/expr.h"

#include <isl/aff.h>
#include <isl/set.h>
#include <isl/space.h>

/* The value of an expression of integer literals; false when it is none or exceeds 64 bits. */
bool expr_constant(const struct expr *expr, int64_t *value);

/* The first part of expr that keeps it from being affine, with the reason in *why; NULL when it is affine. */
const struct expr *expr_affine_obstacle(const struct expr *expr, const char **why);
/* The same for a condition: comparisons of affine values joined by &&, || and !. */
const struct expr *expr_condition_obstacle(const struct expr *expr, const char **why);

/* The value of expr, which is affine, at each point of space. */
__isl_give isl_pw_aff *expr_pw_aff(__isl_keep isl_space *space, const struct expr *expr);
/* The points of space where condition, which is affine, holds. */
__isl_give isl_set *expr_set(__isl_keep isl_space *space, const struct expr *condition);
/* The coefficient of input dimension `in` in subscript dim, where that is one affine expression over its domain and the
 * coefficient whole; 0 elsewhere. */
int64_t subscript_factor(__isl_keep isl_pw_multi_aff *subscripts, int dim, int in);

#endif
