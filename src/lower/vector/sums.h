/* Updates of one element by all lanes: part of pass "vectors".
 *
 *     for (k = 0; k < K; k++)             __m512 sum = _mm512_setzero_ps();
 *         s += x[k];                      for (k = 0; k + 16 <= K; k += 16)
 *                              becomes        sum = _mm512_add_ps(sum, ..);
 *                                         s += _mm512_reduce_add_ps(sum);
 *
 * The plan's check has proved that the order of the updates is free.
 */
#ifndef LOWER_VECTOR_SUMS_H
#define LOWER_VECTOR_SUMS_H

#include "lower/vector/lanes.h"

/* The updates in body, of loop, that can be collected until after the loop. outside: what is known around the loop
 * where it has iterations; alone: no other thread runs at the same time. */
struct lane_sums sums_of(const struct facts *outside, const struct node *loop, const struct node *body, bool alone);
/* A name for the vector that collects updates of target. */
const struct var *sums_new_var(struct lowering *lowering, const struct element *target);
/* Declares sum, for n lanes and so many registers, around inner, and goes on to bring its target up to date. */
const struct node *sums_around(struct lowering *lowering, const struct lane_sum *sum, int n, int registers,
                               const struct node *inner);
/* Its target updated by all lanes of value, all of which are active; negative: by subtraction. */
const struct node *sums_at_once(struct lowering *lowering, const struct lane_sum *sum, int n, bool negative,
                                const struct tree_expr *value);

#endif
