/* Masks stay where lanes can be off.
 *
 *     for (jj = 0; jj < 48; jj += 16)              for (jj = 0; jj < 32; jj += 16)
 *         .. lanes below n - jj ..                     .. all lanes ..
 *                                      becomes     .. lanes below n - 32 ..
 * where n >= 32 is known: a short loop is cut in front of its first vector that may be partial.
 */
#ifndef LOWER_VECTOR_FULL_LANES_H
#define LOWER_VECTOR_FULL_LANES_H

#include "lower/lower.h"

/* tree, whose loops are in vectors, without the masks of vectors that are known to be full. */
const struct node *lower_full_lanes(struct lowering *lowering, const struct node *tree);

#endif
