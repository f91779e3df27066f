/* Instances that an order given as a map runs at one time must be independent. */
#ifndef SCHED_TIES_H
#define SCHED_TIES_H

#include "dep/dependence.h"

/* map { S[i,j] -> [t0,..]; .. }; reports the smallest dependent pair with one time at place. */
enum status ties_check(struct arena *arena, const struct dependences *dependences, __isl_keep isl_union_map *map,
                       struct place place, struct diags *diags);
/* The same for the orders that nests in polyhedral form give. */
enum status ties_check_nests(struct arena *arena, const struct dependences *dependences, struct diags *diags);

#endif
