/* Contraction: temporaries keep only what is live.
 *
 * When every value of a temporary is read in the same iteration of some outer loops that wrote it, the array
 * shrinks to what one such iteration touches: an element, a row, a tile. Computed last, from the final order;
 * `"storage": "full"` on the array turns it off. The accesses become relative to the iteration's first element,
 *     C[i, j]  inside tiles of 4 x 4:  C[i mod 4, j mod 4]
 */
#ifndef PLAN_STORAGE_CONTRACT_H
#define PLAN_STORAGE_CONTRACT_H

#include "sched/schedule.h"

/* A copy of the schedule's program with smaller temporaries, and its final order with the statements of that; the
 * given ones when nothing shrinks. Zeros of "init": 0 are written where they are needed (zeros.h). Refused when an
 * array that compute_at gave an iteration of its own cannot lose it again, because later steps took its values across
 * iterations. */
enum status contract_temporaries(struct schedule *schedule, const struct program **contracted,
                                 const struct order **contracted_order);

#endif
