/* Pass "splats": what is the same in all lanes, and does not change in a loop over vectors, becomes a vector once, in
 * front of the loop and of the one over the rest.
 *
 *     for (; i + 16 <= N; i += 16) {               const __m512 factor_v = set1(factor);
 *         const __m512 factor_v = set1(factor);    for (; i + 16 <= N; i += 16)
 *         y[i] = load(&x[i]) * factor_v;               y[i] = load(&x[i]) * factor_v;
 *     }
 *
 * These are scalars, indices and variables that have a value there for certain, and sums and products of them: the loop
 * may have no iteration. Later loops in the block, and those inside, take the same vector.
 */
#ifndef LOWER_VECTOR_REUSE_SPLATS_H
#define LOWER_VECTOR_REUSE_SPLATS_H

#include "lower/lower.h"

/* tree is what lower_vectors made, before it has names for operands. */
const struct node *lower_splats(struct lowering *lowering, const struct node *tree);

#endif
