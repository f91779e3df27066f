/* Pass "clamp": rows of a partial tile that only exist in registers are computed with the others.
 *
 *     if (i + ii < M)                           acc[ii] += A[min(i + ii, M - 1)] * b;
 *         acc[ii] += A[i + ii] * b;    becomes
 *     ..                                        ..
 *     if (i + ii < M)                           if (i + ii < M)
 *         C[i + ii] = acc[ii];                      C[i + ii] = acc[ii];
 *
 * Nothing reads what the superfluous rows compute: every use of the array in the tile is under the same condition. They
 * do what the last row does, in as many lanes, and read what it reads. No branch is left in the inner loops.
 */
#ifndef LOWER_VECTOR_CLAMP_H
#define LOWER_VECTOR_CLAMP_H

#include "lower/facts/facts.h"

/* node, a part of the tree outside of which array has no value in it, with facts known there. */
const struct node *clamp_rows(const struct facts *facts, const struct node *node, const struct array *array);

#endif
