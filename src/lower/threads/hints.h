/* Pass "hints": loops get their pragmas, and each iteration of a loop asks for what later ones load (plan steps pragma
 * and prefetch).
 *
 *     for (k = 0; k < K; k++) {
 *         prefetch A[i, k], further 0, 8;        of each reference to A, inner loops being at their first iteration,
 *                                                and of each line where one iteration takes several vectors
 *         ..
 *
 * Where the iterations are those of a loop around, which a minimum does not burden, and where subscripts do not go on
 * evenly, at most the last one is meant: A[min(i + 1, M - 1), k].
 */
#ifndef LOWER_THREADS_HINTS_H
#define LOWER_THREADS_HINTS_H

#include "sched/order.h"
#include "tree/tree.h"

struct diags;

/* tree is what lower_vectors made of order, in *hinted with its hints. Refused where no loop is left to carry one. */
enum status lower_hints(struct arena *arena, const struct order *order, struct diags *diags, const struct node *tree,
                        const struct node **hinted);

#endif
