/* Contraction: temporaries keep only what is live.
 *
 * When every value of a temporary is read in the same iteration of some outer loops that wrote it, the array
 * shrinks to what one such iteration touches: an element, a row, a tile. Computed last, from the final order;
 * `"storage": "full"` on the array turns it off. The accesses become relative to the iteration's first element,
 *     C[i, j]  inside tiles of 4 x 4:  C[i mod 4, j mod 4]
 */
#ifndef PLAN_CONTRACT_H
#define PLAN_CONTRACT_H

#include "dep/dependence.h"
#include "sched/order.h"

/* A copy of program with smaller temporaries, and the order of its statements; the given ones when nothing
 * shrinks. dependences: of program, in the original order. Refused when an array that compute_at gave an
 * iteration of its own cannot lose it again, because later steps took its values across iterations. */
enum status contract_temporaries(struct arena *arena, const struct program *program,
                                 const struct dependences *dependences, const struct order *order,
                                 struct diags *diags, const struct program **contracted,
                                 const struct order **contracted_order);

#endif
