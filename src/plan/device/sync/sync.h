/* Barriers, derived: where threads of a block have to wait for each other. */
#ifndef PLAN_DEVICE_SYNC_SYNC_H
#define PLAN_DEVICE_SYNC_SYNC_H

#include "sched/schedule.h"

/* Puts barriers, as statements, into the kernels of *order: between every two instances that use one element of memory,
 * one of them writing, in different threads of a block; as few as can be (plan/device/sync/placing.h). Refused,
 * with the two instances: such pairs in different blocks, and in iterations of a loop that run at once. */
enum status sync_insert(struct schedule *schedule, const struct program **program, const struct order **order);

#endif
