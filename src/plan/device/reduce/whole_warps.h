/* Blocks whose threads along x sum up have whole warps: of the last one the threads that are left give nothing. */
#ifndef PLAN_DEVICE_REDUCE_WHOLE_WARPS_H
#define PLAN_DEVICE_REDUCE_WHOLE_WARPS_H

#include "sched/schedule.h"

/* Where updates of one element by threads along x are exchanged in warps, blocks of another number of threads are
 * rounded up (loop_plan's whole_warps), if a device has as many. */
void whole_warps(struct schedule *schedule);

#endif
