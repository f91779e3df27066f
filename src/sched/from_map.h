/* An order given as one affine map { S[i,j] -> [t0,t1,..]; .. }, as a tree of loops and sequences. */
#ifndef SCHED_FROM_MAP_H
#define SCHED_FROM_MAP_H

#include "sched/order.h"

/* Names and identities of the loops that come out. */
struct map_naming {
    const char **name; /* of dimension 0, 1, ...; those beyond are t0, t1, ... */
    int n;
    int *ids; /* identities given so far */
    const struct step *step;
};

/* map must be single-valued and total on the instances wanted; short tuples end in zeros. A
 * dimension that is a constant for every statement becomes a sequence. Instances with one time get
 * a loop of their own, over the original loop that tells them apart where there is one, named by the name after
 * the last dimension's. NULL on an isl error. */
const struct order *order_from_map(struct arena *arena, const struct program *program, __isl_take isl_union_map *map,
                                   const struct map_naming *naming);

#endif
