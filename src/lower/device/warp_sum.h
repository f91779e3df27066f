/* Part of pass "grid": updates that a warp makes as one, under the conditions around them. */
#ifndef LOWER_DEVICE_WARP_SUM_H
#define LOWER_DEVICE_WARP_SUM_H

#include "lower/device/differing.h"
#include "lower/facts/pending.h"

/* Where a sum over warps stands. */
struct warp_sum_place {
    const along_x_vars *along_x;
    const struct var *x;         /* the position along x, */
    const struct affine *extent; /* of which a block has so many */
    const int64_t *param_least, *param_most;
};

/* The update of node by a warp, all threads of which run it. Conditions of pending that are the same for all of them go
 * around it, the others are those of the threads that take part. NULL: these have too many alternatives. */
const struct node *warp_sum_under(struct arena *arena, const struct warp_sum_place *place,
                                  const struct pending *pending, const struct node *node);

#endif
