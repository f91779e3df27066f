/* Loops directly inside each other whose bounds do not depend on one another, as OpenMP wants those that it counts
 * together: each runs over all values that it has in any iteration of those around, and the innermost body is left out
 * where the loops as they were have no iteration.
 *
 *     for t, t <= i <= t + N: S(t, i)      becomes      for t, 0 <= i <= T - 1 + N: if (t <= i && i <= t + N) S(t, i)
 */
#ifndef LOWER_THREADS_RECTANGLE_H
#define LOWER_THREADS_RECTANGLE_H

#include "tree/tree.h"

/* The n loops from loop on. Those whose first values are on no common lattice of their steps stay as they are. */
const struct node *rectangle_of(struct arena *arena, const struct node *loop, int n);

#endif
