/* Bound loops whose first iteration depends on loops around them: the positions of
 *
 *     for (b = 0; b < N / 64; b++) for (i = 64 * b; i < 64 * b + 64; i++)
 *
 * along the axis of i are 64, not N, when i counts from 64 * b on. */
#ifndef PLAN_DEVICE_FROM_START_H
#define PLAN_DEVICE_FROM_START_H

#include "sched/schedule.h"

/* Lets such loops count from their start where they then have fewer positions, and what depends on each other in one
 * thread, or of a loop bound to blocks in one block, stays together. The order of instances is what it was. */
void bound_from_start(struct schedule *schedule);

#endif
