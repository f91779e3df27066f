/* Pass "hints": loops get their pragmas, and each iteration of a loop asks for what later ones load (plan steps pragma
 * and prefetch).
 *
 *     for (k = 0; k < K; k++) {
 *         prefetch A[i, min(k + 8, K - 1)];        of each reference to A, inner loops being at their first iteration,
 *                                                  and of each line where one iteration takes several vectors
 *         ..
 */
#ifndef LOWER_HINTS_H
#define LOWER_HINTS_H

#include "sched/order.h"
#include "tree/tree.h"

struct diags;

/* tree is what lower_vectors made of order, in *hinted with its hints. Refused where no loop is left to carry one. */
enum status lower_hints(struct arena *arena, const struct order *order, struct diags *diags, const struct node *tree,
                        const struct node **hinted);

#endif
