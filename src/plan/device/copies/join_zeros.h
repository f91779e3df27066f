/* Zeros behind the elements of shared buffers, written by the copies that fill these. */
#ifndef PLAN_DEVICE_COPIES_JOIN_ZEROS_H
#define PLAN_DEVICE_COPIES_JOIN_ZEROS_H

#include "sched/order.h"

/* Threads that go over a buffer to fill it write its zeros on the way, where they go over it element by element:
 *     if (inside) tile[..] = A[..]; else tile[..] = 0; */
const struct order *zeros_join(struct arena *arena, const struct order *order);

#endif
