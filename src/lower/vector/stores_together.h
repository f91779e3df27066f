/* Assignments to all members of groups of neighbours become one: part of pass "interleave". */
#ifndef LOWER_VECTOR_STORES_TOGETHER_H
#define LOWER_VECTOR_STORES_TOGETHER_H

#include "lower/lower.h"

/* How many elements b is behind a in the row that both are in; false: they are in different ones, or it is no constant.
 * Both are what interleave_may says. */
bool interleave_offset(struct arena *arena, const struct element *a, const struct element *b, int64_t *offset);
/* Are the lanes' elements 2 to 4 apart in dense memory, and has the target registers for such groups? */
bool interleave_may(const struct lowering *lowering, const struct element *element, int lanes);
/* element as a member of the groups that start `first` (<= 0) from it. */
struct element interleave_group(struct arena *arena, const struct element *element, int64_t first);

/* node, what stands in its blocks one after the other joined where it stores all members of the same groups. */
const struct node *stores_together(struct lowering *lowering, const struct node *node);

#endif
