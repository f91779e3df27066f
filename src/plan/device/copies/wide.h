/* Copies of several neighbours at once, and copies that a thread does not wait for. */
#ifndef PLAN_DEVICE_COPIES_WIDE_H
#define PLAN_DEVICE_COPIES_WIDE_H

#include "sched/schedule.h"

/* On a device: copies of caches move 16, 8 or 4 bytes at once where both sides, or that in the device's memory, are
 * proved to be aligned; those that all threads make together only where every thread still has something to do; those
 * into buffers that are asynchronous are marked. Refused: asynchronous copies of what such a copy cannot move. */
enum status wide_copies(struct schedule *schedule, const struct program **program, const struct order **order);

#endif
