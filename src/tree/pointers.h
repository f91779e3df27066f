/* A tree in which elements count from their arrays, and not from pointers into them. */
#ifndef TREE_POINTERS_H
#define TREE_POINTERS_H

#include "tree/tree.h"

/* node without its POINTERs: each element that counts from one gets the sum of both subscripts. node itself where a sum
 * is too large. */
const struct node *node_without_pointers(struct arena *arena, const struct node *node);

#endif
