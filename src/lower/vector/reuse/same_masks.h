/* Consecutive statements that compute the same mask share one, unless something between them writes what the mask is
 * computed from.
 *
 *     {                                            const __mmask16 mask = x < y;
 *         const __mmask16 mask = x < y;            store(&b[j], blend(mask, ..));
 *         store(&b[j], blend(mask, ..));           store(&t[j], blend(mask, ..));
 *     }
 *     {
 *         const __mmask16 mask_1 = x < y;
 *         store(&t[j], blend(mask_1, ..));
 *     }
 */
#ifndef LOWER_VECTOR_REUSE_SAME_MASKS_H
#define LOWER_VECTOR_REUSE_SAME_MASKS_H

#include "lower/lower.h"

/* A condition that several consecutive assignments share gets a name, too. */
const struct node *same_masks_joined(struct lowering *lowering, const struct node *tree);

#endif
