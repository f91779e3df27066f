/* Conditions on their way to the inside of a loop tree. */
#ifndef LOWER_FACTS_PENDING_H
#define LOWER_FACTS_PENDING_H

#include "tree/tree.h"

/* Conditions that what is inside has still to be put under, innermost first. */
struct pending {
    const struct guard *alternative;
    int n;
    const struct pending *outer;
};

/* Makes *a both conditions: the stronger one, or `a == b` for `a >= b && a <= b`; false where they are two. */
bool condition_join(struct arena *arena, struct condition *a, const struct condition *b);
/* affine >= 0 (== 0) besides outer. */
struct pending pending_with(struct arena *arena, const struct affine *affine, bool equal, const struct pending *outer);
/* node under the conditions of pending, which may be NULL. */
const struct node *pending_around(struct arena *arena, const struct pending *pending, const struct node *node);
/* tree with if (a) if (b) .. as if (a && b) .. */
const struct node *pending_merged(struct arena *arena, const struct node *tree);

#endif
