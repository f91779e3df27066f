/* Part of plan/device/sync/sync.h: asynchronous copies that go on after a barrier. In a loop whose iterations need
 * what was copied several iterations earlier, a barrier need not wait for the latest copies:
 *
 *     fill A[0], A[1]                       fill A[0], A[1]
 *                                           close a group
 *     for (k) {                             for (k) {
 *         wait; barrier                         wait for all groups but the latest; barrier
 *         fill A[(k + 2) % 3]                   fill A[(k + 2) % 3]
 *         use A[k % 3]                          use A[k % 3]
 *     }                                     }
 *
 * A barrier that waits closes a group first: what its thread has started to copy since the group before. So the
 * barrier of iteration k leaves the copies of the iterations k - prior to k - 1, and all that was copied before the
 * loop is there in its first iteration, as `prior` groups are closed after that. */
#ifndef PLAN_DEVICE_SYNC_GROUPS_H
#define PLAN_DEVICE_SYNC_GROUPS_H

#include "plan/device/conflict.h"
#include "plan/device/sync/barrier.h"

/* The kernel with barriers, in which those of such loops leave copies. barriers: those that are there, and the loops
 * around the kernel. */
const struct order *groups_leave(struct barriers *barriers, const struct conflicts *conflict,
                                 const struct order *kernel);

#endif
