/* Barriers as statements of an order: their instances are the iterations of the loops around. */
#ifndef PLAN_DEVICE_SYNC_BARRIER_H
#define PLAN_DEVICE_SYNC_BARRIER_H

#include "sched/order.h"

/* Those that are being put into an order, from the outside in. */
struct barriers {
    struct arena *arena;
    struct program *program; /* gets the statements */
    VEC(struct statement *) list;
    VEC(const struct order *) around; /* the loops around the place at hand */
};

/* A leaf that runs in every iteration in which something of order does; note: what for. */
const struct order *barrier_new(struct barriers *barriers, const struct order *order, const char *note);
/* Is a fusing loop around the place at hand? */
bool barriers_are_fused(const struct barriers *barriers);
/* The same, but for iterations in which a fusing loop around has a value that it has in none of the instances. */
const struct order *barrier_new_for(struct barriers *barriers, const struct order *order,
                                    __isl_take isl_union_set *instances, const char *note);
/* The same for the loop's iteration number `count`, as which something of loop runs. */
const struct order *barrier_new_at(struct barriers *barriers, const struct order *loop, int64_t count,
                                   const char *note);
/* The order with the barriers in the times of its loops, the outermost of which is number `depth`. */
const struct order *barriers_with_times(const struct barriers *barriers, const struct order *order, int depth);
bool order_is_barrier(const struct order *order);

#endif
