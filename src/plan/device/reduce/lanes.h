/* Updates that the threads of a warp make of one element: the warp sums up what they add, and makes one of it. */
#ifndef PLAN_DEVICE_REDUCE_LANES_H
#define PLAN_DEVICE_REDUCE_LANES_H

#include "sched/order.h"

/* The loop bound to thread.x in which the statement updates one element (or one a warp), in any order, in a block of
 * whole warps; there is nothing between the loop and the statement by which the threads of a warp could differ. NULL:
 * there is none. */
const struct order *lanes_loop(const struct program *program, const struct order *order,
                               const struct statement *statement);
/* The same in a block of any number of threads. */
const struct order *lanes_loop_alone(const struct program *program, const struct order *order,
                                     const struct statement *statement);
/* Is it an update in any order, which threads can exchange the values of? */
bool lanes_may_share(const struct program *program, const struct statement *statement);
/* Do the iterations of all n loops around the statement update one element, whose value none of them needs? */
bool lanes_are_together(const struct program *program, const struct order *order, const struct statement *statement,
                        const struct order *const *loop, int n);
/* Its iterations, or where they are not known how many there can be at most. */
int64_t lanes_most(const struct program *program, const struct order *loop);
/* So many of its iterations, of which each warp makes one update where the statement would make one in each; 0: none.
 * More than a warp's only where warps have atomic updates, or elements of their own. */
int lanes_of(const struct program *program, const struct order *order, const struct statement *statement);
/* Notes it in the statements of the kernel, a part of order. */
void lanes_mark(const struct program *program, const struct order *order, const struct order *kernel);

#endif
