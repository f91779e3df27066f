/* Loops over vectors, the second one over what the first one leaves: what passes put in front of both. */
#ifndef LOWER_VECTOR_REUSE_STRIP_H
#define LOWER_VECTOR_REUSE_STRIP_H

#include "tree/tree.h"

/* Are these n loops over vectors, or over what is left of them, with no further loops inside but over the vectors of
 * one step, and may something stand in front of them? */
bool strip_is(const struct node *const *loop, int n);
/* How many of the n nodes are the first one, and what goes on where that ends; n > 0. */
int strip_length(const struct node *const *node, int n);
/* Does the node have loops in threads? A region may take in all that is beside them. */
bool strip_has_threads(const struct node *node);

#endif
