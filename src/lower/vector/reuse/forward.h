/* Pass "forward": what a vector statement stores is not loaded again by those that follow it.
 *
 *     storeu(&y[i], exp(x_v));                      const __m512 y_new = exp(x_v);
 *     sum_v = add(sum_v, loadu(&y[i]));             storeu(&y[i], y_new);
 *                                                   sum_v = add(sum_v, y_new);
 *
 * Also of the first lanes only, where both are of as many: a masked load has zeros in the others, but nothing is made
 * of them.
 */
#ifndef LOWER_VECTOR_REUSE_FORWARD_H
#define LOWER_VECTOR_REUSE_FORWARD_H

#include "lower/lower.h"

/* tree is what lower_vectors made, without names of operands. */
const struct node *lower_forward(struct lowering *lowering, const struct node *tree);

#endif
