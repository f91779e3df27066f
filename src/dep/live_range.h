/* Live ranges of temporaries: what an order may do with an element that is used again and again.
 *
 *     for i, j:                     S[0,0] T[0,0] S[0,1] T[0,1] S[1,0] T[1,0] ..
 *         S: t = A[i, j]            a range begins with S[i,j], which writes t without reading it,
 *         T: B[i, j] = f(t)         and ends with T[i,j], the last that uses its value
 *
 * Dependences between instances of one range are kept. Those between two ranges of an element only say that it is used
 * again: such a pair may be swapped where all of one range runs before the other begins. So `i` and `j` may be
 * interchanged, but S not be moved into a loop of its own.
 *
 * After S. Verdoolaege, A. Cohen, "Live-Range Reordering", IMPACT 2016. */
#ifndef DEP_LIVE_RANGE_H
#define DEP_LIVE_RANGE_H

#include "dep/legal.h"

/* The required pairs that the order swaps (legal_violated), less those between live ranges that it keeps apart. */
__isl_give isl_union_map *live_range_violated(const struct dependences *dependences, __isl_keep isl_schedule *schedule);
/* The smallest of them; false when there is none (or isl failed). */
bool live_range_find_violation(struct arena *arena, const struct dependences *dependences,
                               __isl_keep isl_schedule *schedule, struct violation *violation);
/* Is the violation one of this order? */
bool live_range_violates(const struct dependences *dependences, const struct violation *violation,
                         __isl_keep isl_schedule *schedule);

#endif
