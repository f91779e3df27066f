/* Pass "rows": where a loop that the compiler unrolls goes through far apart elements of an array with many dimensions,
 * a pointer to the first is computed once.
 *
 *     for (s = 0; s < 3; s++)                     for (s = 0; s < 3; s++) {
 *         for (kk = 0; kk < 8; kk++)                  const float *x_at = &x[((k * C + c) * N + r) * 3 + s];
 *             .. x[(((k + kk) * C + c) * N + r)       for (kk = 0; kk < 8; kk++)
 *                  * 3 + s] ..                            .. x_at[kk * C * N * 3] ..
 *                                                 }
 *
 * Compilers see that only these products differ; in the long form some of them compute all addresses in vectors.
 */
#ifndef LOWER_VECTOR_REUSE_ROWS_H
#define LOWER_VECTOR_REUSE_ROWS_H

#include "lower/lower.h"
#include "tree/vars.h"

/* tree is what lower_vectors made, and maybe lower_hints. */
const struct node *lower_rows(struct arena *arena, const struct program *program, struct vars *vars,
                              const struct node *tree);

/* A name for a pointer into the array: "wt_at" for Wt. */
const char *rows_pointer_name(struct lowering *lowering, const struct array *array);
/* The pointer `var` to the element, around body, whose comment it takes. */
const struct node *rows_pointer(struct arena *arena, const struct var *var, const struct element *first,
                                const struct node *body);

#endif
