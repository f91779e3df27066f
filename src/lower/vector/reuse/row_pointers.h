/* Pass "row_pointers": where vectors go along neighbouring rows of an array, a pointer to one of the rows is computed
 * once, and elements count from it.
 *
 *     for (; k < N - 8; k += 8)                        const double *a_at = &A[(i * N + j) * N];
 *         .. loadu(&A[((i + 1) * N + j) * N + k])      for (; k < N - 8; k += 8)
 *         .. loadu(&A[(i * N + j) * N + k - 1])            .. loadu(&a_at[k + N * N])
 *         .. loadu(&A[(i * N + j + 1) * N + k])            .. loadu(&a_at[k - 1]) .. loadu(&a_at[k + N])
 *
 * The row is the one from which the others are the least far, if it is seen that it begins in the array.
 */
#ifndef LOWER_VECTOR_REUSE_ROW_POINTERS_H
#define LOWER_VECTOR_REUSE_ROW_POINTERS_H

#include "lower/lower.h"
#include "tree/vars.h"

/* tree is what lower_vectors made, and maybe lower_rows. */
const struct node *lower_row_pointers(struct arena *arena, const struct program *program, struct vars *vars,
                                      const struct node *tree);

#endif
