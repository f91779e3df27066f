/* Where temporaries are kept on a device. */
#ifndef PLAN_STORAGE_DEVICE_H
#define PLAN_STORAGE_DEVICE_H

#include "sched/schedule.h"

/* Every temporary of *program gets a memory: each thread's own where no other thread reads its values and it is small,
 * else the device's. What was asked for is proved: local and shared arrays hand nothing to other threads, or blocks.
 * Without a device nothing changes. */
enum status device_place(struct schedule *schedule, const struct program **program, const struct order **order);

#endif
