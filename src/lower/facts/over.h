/* Expressions and conditions of the loop tree over isl sets [N, .., v7, ..] -> { : .. } in which each parameter and
 * variable is a dimension. */
#ifndef LOWER_FACTS_OVER_H
#define LOWER_FACTS_OVER_H

#include "tree/tree.h"

#include <isl/aff.h>
#include <isl/set.h>

/* The parameter of such a space that stands for var. */
int over_dimension(__isl_keep isl_space *space, const struct var *var);
/* set with one more, for var, of any value. */
__isl_give isl_set *over_with_dimension(__isl_take isl_set *set, const struct var *var);

/* The value of a over known's space. */
__isl_give isl_pw_aff *over_pw_aff(__isl_keep isl_set *known, const struct affine *a);
/* The values of n expressions where known holds: [N, .., v7, ..] -> { [a0, .., an-1] : .. }. */
__isl_give isl_set *over_values(__isl_take isl_set *known, const struct affine *const *a, int n);

/* known where the condition holds. */
__isl_give isl_set *over_where(__isl_take isl_set *known, const struct condition *condition);
/* known where all n conditions hold. */
__isl_give isl_set *over_where_all(__isl_take isl_set *known, const struct condition *const *condition, int n);
/* known where any of the alternatives holds; NULL when there are none. */
__isl_give isl_set *over_guards(__isl_keep isl_set *known, const struct guard *alternative, int n);

#endif
