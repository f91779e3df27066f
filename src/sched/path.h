/* The loops from the root of an order to one of them. */
#ifndef SCHED_PATH_H
#define SCHED_PATH_H

#include "sched/order.h"

struct path {
    const struct order **loop; /* outermost first; depth of them */
    int depth;
};

/* The loops down to wanted, itself included; false when one of them is part of a collapsed tuple. */
bool path_find(struct arena *arena, const struct order *order, const struct order *wanted, struct path *path);
/* The same down to all of a collapsed loop, where wanted is one; false when one of them is for runs of iterations. */
bool path_find_through(struct arena *arena, const struct order *order, const struct order *wanted, struct path *path);
/* { S[i,j] -> [c0,..] }: the counts of the path's loops for an instance. */
__isl_give isl_multi_pw_aff *path_iteration(const struct path *path, const struct statement *statement);
/* Of pairs of instances, which all run in the path's loops, those in one iteration of all of them. */
__isl_give isl_union_map *path_at_once(const struct path *path, __isl_take isl_union_map *pairs);
/* { S[..] -> [x_dim] } for the space of set, as the time of a loop. */
__isl_give isl_union_pw_aff *path_dimension(__isl_keep isl_set *set, int dim);

#endif
