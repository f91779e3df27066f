/* Pass "subterms": what vector statements compute in many steps, each a call inside a call, or several times, gets
 * names for parts.
 *
 *     store(p, mul(c, add(add(add(add(a, b), d), e), f)))     const __m512d sum = add(add(add(a, b), d), e);
 *                                                             store(p, mul(c, add(sum, f)))
 *
 * So do values that have a name themselves. Masks of one value in statements that follow each other become one
 * (same_masks.h).
 */
#ifndef LOWER_VECTOR_REUSE_SUBTERMS_H
#define LOWER_VECTOR_REUSE_SUBTERMS_H

#include "lower/lower.h"

/* tree is what lower_operands made. */
const struct node *lower_subterms(struct lowering *lowering, const struct node *tree);

#endif
