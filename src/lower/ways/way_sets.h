/* Ways as isl's sets [N, .., c1, c2, ..] -> { : .. }, in which each count is a parameter. */
#ifndef LOWER_WAYS_WAY_SETS_H
#define LOWER_WAYS_WAY_SETS_H

#include "lower/ways/way.h"

#include <isl/set.h>

typedef VEC(const struct var *) var_vec;

/* Adds var, unless it is a parameter or there. */
void way_sets_add_var(struct arena *arena, const struct var *var, var_vec *vars);
/* Adds all that affine uses. */
void way_sets_add_vars(struct arena *arena, const struct affine *affine, var_vec *vars);
/* Adds what limits, and counts' own ends, use from `inner` outwards up to `end`. */
void way_sets_add_vars_of(struct arena *arena, const struct way *inner, const struct way *end, var_vec *vars);
/* Is var, a count of the way, replaced by others further inside? */
bool way_sets_gone(const struct way *inner, const struct way *end, const struct var *var);
/* Is var a count of the way? */
bool way_sets_counts(const struct way *inner, const struct way *end, const struct var *var);
/* Counts of the way from inner to end that are there, innermost first. */
var_vec way_sets_own(struct arena *arena, const struct way *inner, const struct way *end);
/* set with dimensions for all vars. */
__isl_give isl_set *way_sets_with(__isl_take isl_set *set, const var_vec *vars);
/* set, all vars of which are dimensions, where all holds from `inner` outwards up to `end`. */
__isl_give isl_set *way_sets_where(struct arena *arena, __isl_take isl_set *set, const struct way *inner,
                                   const struct way *end);
/* set without its last n parameters, which may have any value. */
__isl_give isl_set *way_sets_without(__isl_take isl_set *set, int n);

#endif
