/* Masks that differ in the iterations of a short loop, computed in front of the loops around it.
 *
 *     for (kk = 0; kk < kk_n; kk++)              const __mmask16 active[2] = {lanes_16(n), lanes_16(n - 16)};
 *         for (jj = 0; jj < 32; jj += 16) {      for (kk = 0; kk < kk_n; kk++)
 *             .. lanes_16(n - jj) ..                 for (jj = 0; jj < 32; jj += 16) {
 *                                                        .. active[jj / 16] ..
 */
#ifndef LOWER_VECTOR_REUSE_MASKS_H
#define LOWER_VECTOR_REUSE_MASKS_H

#include "tree/tree.h"

/* Of loop[0..n_loop), nodes that bind variables around a place, outermost first: the short loop that alone decides how
 * many (count) lanes are active there. *n: its iterations; *repeated: are there other loops? NULL: there is none. */
const struct node *masks_loop(const struct node *const *loop, int n_loop, const struct affine *count, int64_t *n,
                              bool *repeated);
/* count in each of the loop's n iterations; NULL: an overflow. */
const struct affine *const *masks_counts(struct arena *arena, const struct affine *count, const struct node *loop,
                                         int64_t n);
/* Are as many lanes active in both, but for conditions? */
bool masks_same_lanes(const struct vector *a, const struct vector *b);
/* The number of the loop's iteration. */
const struct affine *masks_place(struct arena *arena, const struct node *loop);

#endif
