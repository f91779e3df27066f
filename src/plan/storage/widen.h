/* Loops bound to blocks and threads have as many positions as there were iterations when the plan bound them. Where the
 * rest of a tile is rounded up, which comes last, there are more. */
#ifndef PLAN_STORAGE_WIDEN_H
#define PLAN_STORAGE_WIDEN_H

#include "sched/schedule.h"

/* Gives bound loops of a known number of iterations positions for those that they have now. */
enum status widen_bound(struct schedule *schedule);

#endif
