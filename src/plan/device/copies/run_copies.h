/* What the threads of a block copy together where the block has a run of a collapsed loop's iterations, which start
 * anywhere in the loops:
 *
 *     ws[k] = w[k]                          what all iterations need alike, once for the block
 *     xs[t][k] = x[i, j, k]                 or for each iteration t of the run its own
 */
#ifndef PLAN_DEVICE_COPIES_RUN_COPIES_H
#define PLAN_DEVICE_COPIES_RUN_COPIES_H

#include "sched/path.h"

/* Does each iteration of a run need a buffer of its own? kernel has runs; around: the loops around it. */
bool run_needs_each(const struct program *program, const struct path *around, const struct order *kernel,
                    const struct array *buffer);
/* The first dimension of the arrays that have `run`, for which there are none yet, and their subscripts. */
void run_add_dimensions(struct program *program);

#endif
