/* Updates of one element by the threads of a block: each warp, or where threads are no warp's each thread, sets one of
 * its own, and those are summed up. */
#ifndef PLAN_DEVICE_REDUCE_BLOCK_SUM_H
#define PLAN_DEVICE_REDUCE_BLOCK_SUM_H

#include "sched/schedule.h"

/* On a device: S: x[f] op= e, in the innermost loop t, bound to thread.x, all iterations of which update one element,
 * becomes
 *     S        x_warps[t / 32] op= e    in t
 *     S_block  x[f] op= x_warps[w]      in w, for the warps that t has, bound to thread.x, too
 * with x_warps in shared memory, which has no values before (statement->by_warp): the one update of a warp sets one.
 * Loops over thread.y and thread.z whose iterations update the same element give more warps. Where only those do, but
 * each iteration of t has an element of its own,
 *     S        x_rows[u, t] = e         in t and the loops u over the others
 *     S_block  x[f] op= x_rows[u, t]    in t, for all u one after the other
 * What has no such form stays as it is. */
enum status block_sums(struct schedule *schedule);

#endif
