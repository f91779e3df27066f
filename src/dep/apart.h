/* Pairs of instances by the times that a loop gives the two: the first earlier, both at once, the first later.
 *
 * isl answers this with the set of all pairs and their times, in which each floor of a time is one more variable.
 * Mostly that is not needed: the two touch the same element, which tells most coordinates of one by those of the other,
 * so that between all of the pairs the difference of the times has one sign. Bounds of it over the rationals show that.
 */
#ifndef DEP_APART_H
#define DEP_APART_H

#include "dep/agreement.h"

#include <isl/aff.h>
#include <isl/union_map.h>

enum { PAIRS_EARLIER, PAIRS_AT_ONCE, PAIRS_LATER, N_PAIRS };

/* The pairs { a -> b } with time(a) < time(b), = and >; those that were not asked for are NULL. */
struct apart {
    isl_union_map *pairs[N_PAIRS];
};

/* Divides pairs by time, which has one member; wanted: bits of 1 << PAIRS_EARLIER and so on. */
struct apart pairs_apart(__isl_take isl_union_map *pairs, __isl_take isl_multi_union_pw_aff *time, unsigned wanted);
/* Of those pairs that agree; those at once are all that may be, together with what next, which is new, then says. */
struct apart pairs_apart_agreeing(__isl_take isl_union_map *pairs, __isl_take isl_multi_union_pw_aff *time,
                                  unsigned wanted, const struct agreement *agreement, struct agreement *next);
/* Only those at once. */
__isl_give isl_union_map *pairs_at_once(__isl_take isl_union_map *pairs, __isl_take isl_multi_union_pw_aff *time);
/* Only those at one time of each of n loops, outermost first. */
struct agreeing pairs_together(struct arena *arena, __isl_take isl_union_map *pairs, isl_union_pw_aff *const *time,
                               int n);

#endif
