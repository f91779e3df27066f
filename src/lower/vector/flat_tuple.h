/* A collapsed loop of symbolic size that is to run in vectors. */
#ifndef LOWER_VECTOR_FLAT_TUPLE_H
#define LOWER_VECTOR_FLAT_TUPLE_H

#include "lower/lower.h"

/* The TUPLE node as a loop over its positions, in a LET of their number,
 *     const int64_t ij_n = M * N;
 *     for (int64_t ij = 0; ij < ij_n; ij++)
 *         A[ij] = 2.0f * A[ij];
 * for arrays that have the elements of all its iterations side by side, in its order: in A[i][j] the subscripts become
 * A[0][ij], which leaves the dimension's extent but is the same address. NULL: there is no such loop, *obstacle says
 * why. */
const struct node *flat_tuple(struct lowering *lowering, const struct node *tuple, const char **obstacle);

#endif
