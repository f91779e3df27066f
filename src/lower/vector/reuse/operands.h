/* Pass "operands": what vector statements read more than once gets a name, outside of the loops that do not change it.
 *
 *     for (jj = 0; jj < 64; jj += 16)              const __m512 a = set1(A[i * K + k]);
 *         acc[jj] += set1(A[i * K + k]) * ..;      for (jj = 0; jj < 64; jj += 16)
 *                                                      acc[jj] += a * ..;
 *
 * Masks, and operands of statements with many, get one where they stand; masks that a short loop inside tells apart are
 * an array (masks.h). Nothing is read that would not have been: only loops with constant bounds are between a
 * name and its use.
 */
#ifndef LOWER_VECTOR_REUSE_OPERANDS_H
#define LOWER_VECTOR_REUSE_OPERANDS_H

#include "lower/lower.h"

/* tree is what lower_vectors made. */
const struct node *lower_operands(struct lowering *lowering, const struct node *tree);

/* A name for the vector of load, or a mask (NULL): "a" for A, "bp" for Bp, then a_1 and bp_1; "x_v" for x. */
const char *operands_name(struct lowering *lowering, const struct tree_expr *load);

#endif
