/* Pass "fences": what was streamed past the caches is seen by whoever waits for it. Stores that bypass the caches may
 * come later than others behind them; a fence stands behind the last of a thread's, before other threads go on.
 *
 *     #pragma omp parallel for              #pragma omp parallel
 *     for (i = 0; i < N; i += 8)            {
 *         y[i] = ..     (streamed)              #pragma omp for nowait
 *                                      becomes  for (i = 0; i < N; i += 8)
 *                                                   y[i] = ..
 *                                               fence
 *                                           }
 */
#ifndef LOWER_THREADS_FENCES_H
#define LOWER_THREADS_FENCES_H

#include "tree/tree.h"

/* tree, the whole function, is what lower_streams and then lower_regions made; NULL flows through. */
const struct node *lower_fences(struct arena *arena, const struct node *tree);

#endif
