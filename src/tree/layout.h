/* How the elements of an array lie in memory: what passes and printers must agree on. */
#ifndef TREE_LAYOUT_H
#define TREE_LAYOUT_H

#include "tree/translate.h"

/* Is the array passed to the emitted function? */
bool array_is_argument(const struct array *array);
/* Has a scalar or an array of the C interface that type? */
bool program_shows_type(const struct program *program, enum type type);
/* Dimension number k from the slowest on, of a dense array. */
int array_dense_dimension(const struct array *array, int k);
/* May it be written A[i][j], its extents but the slowest constant? All other arrays have one flat index, in which
 * subscripts only count for what they add to the address. */
bool array_may_have_rows(struct arena *arena, const struct scope *scope, const struct array *array);
/* The dimensions such that those whose steps are constant multiples of the next one's stand before it;
 * ratio[k]: one step of dimension order[k - 1] in steps of order[k], 0 where that is no positive constant. */
void array_steps(struct arena *arena, const struct scope *scope, const struct array *array, int *order, int64_t *ratio);

#endif
