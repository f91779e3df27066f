/* Updates that the threads of a warp make of one element: the warp sums up what they add, and makes one of it. */
#ifndef PLAN_LANES_H
#define PLAN_LANES_H

#include "sched/order.h"

/* The iterations of a loop bound to thread.x, of which each warp makes one update where the statement would make one in
 * each; 0: none. They are of one element, and update it in any order; there is nothing between the loop and the
 * statement by which the threads of a warp could differ. More than a warp's only where warps have atomic updates. */
int lanes_of(const struct program *program, const struct order *order, const struct statement *statement);
/* Is it always the same thread that makes the one update of the loop's iterations? */
bool lanes_are_one_warps(int lanes);
/* Notes it in the statements of the kernel, a part of order. */
void lanes_mark(const struct program *program, const struct order *order, const struct order *kernel);

#endif
