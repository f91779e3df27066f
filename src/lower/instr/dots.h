/* Pass "dots": a loop over products that lanes sum up becomes one instruction (plan step tensorize on a CPU).
 *
 *     for (q = 0; q < 4; q++)                          acc[v] = dot(acc[v], the four bytes of A in all lanes,
 *         acc[v] += i32(A[k + q]) * i32(B[v][q]);                   the four bytes of B of each lane);
 *
 * The groups of factors are neighbours in memory, those of one lane after those of the lane before.
 */
#ifndef LOWER_INSTR_DOTS_H
#define LOWER_INSTR_DOTS_H

#include "lower/lower.h"

/* tree, of statements in vectors; loops that step tensorize marks and that are something else are refused. */
const struct node *lower_dots(struct lowering *lowering, const struct node *tree);

#endif
