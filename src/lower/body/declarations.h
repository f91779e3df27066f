/* Where an array is used, and its declaration by its first value: shared by passes "scope" and "declare". */
#ifndef LOWER_BODY_DECLARATIONS_H
#define LOWER_BODY_DECLARATIONS_H

#include "tree/tree.h"

struct array_uses {
    int uses, writes; /* writes are uses, too */
};

/* In the assignments of node. */
struct array_uses array_uses(const struct node *node, const struct array *array);
bool array_is_used(const struct node *node, const struct array *array);
/* Do the array's values stay in an iteration of the loop? */
bool array_stays_in(const struct node *loop, const struct array *array);
/* Can node, a plain assignment of what does not use the array, be its declaration? A call is given where it is. */
bool declaration_fits(const struct node *node, const struct array *array);
/* The assignment as a declaration; only: there is no other one. */
const struct node *declaration_of(struct arena *arena, const struct node *assign, bool only);

#endif
