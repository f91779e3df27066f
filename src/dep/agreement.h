/* Loops that have the same time for both instances of each pair, and what follows from that.
 *
 * Of a loop over tiles and the one inside of it only the inner one counts: where floor(i'/8) = floor(i/8), it is the
 * same tile of 32, and where i' = i the same tile of 8. Recorded here, nested tiles need no more equations than the
 * loop that they were cut from. As constraints of the pairs all the equations would remain, with their quotients, and
 * quotients are what costs isl most.
 */
#ifndef DEP_AGREEMENT_H
#define DEP_AGREEMENT_H

#include "base/arena.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <stdbool.h>

/* By the pairs' spaces { [a -> b] }; never changed. NULL: no loops. */
struct agreement;

/* Pairs, those of them that agree. */
struct agreeing {
    isl_union_map *pairs;
    const struct agreement *agreement;
};

/* between, { [a -> b] -> [time(b) - time(a)] }, in another form with fewer quotients, the same for pairs that agree. */
__isl_give isl_aff *agreement_reduce(const struct agreement *agreement, __isl_take isl_aff *between);
/* The pairs of one space, wrapped, that agree. */
__isl_give isl_basic_set *agreement_restrict(const struct agreement *agreement, __isl_take isl_basic_set *pairs);
/* The pairs that agree. */
__isl_give isl_map *agreement_restrict_map(const struct agreement *agreement, __isl_take isl_map *pairs);
__isl_give isl_union_map *agreement_restrict_all(const struct agreement *agreement, __isl_take isl_union_map *pairs);

/* The agreement of one space while a loop is added to a new one. */
struct agreement *agreement_new(struct arena *arena);
/* agreement gets what the old one (NULL: nothing) has for the space of pairs and, where there is one, that the time
 * between the two, a reduced form, is 0. told: pairs that are restricted by the old one say so themselves. */
void agreement_add(struct agreement *agreement, const struct agreement *old, __isl_take isl_space *pairs,
                   __isl_keep isl_aff *between, bool told);

#endif
