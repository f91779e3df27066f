/* What an iteration of a loop uses of one array, for prefetches. */
#ifndef LOWER_THREADS_USES_H
#define LOWER_THREADS_USES_H

#include "base/vec.h"
#include "tree/tree.h"

/* What processors load at once. */
enum { LINE_BITS = 512 };

/* Elements of one array that the iteration of a loop uses. */
struct uses {
    struct arena *arena;
    const char *array;
    VEC(struct element) element;
    bool by_data;                   /* elements that data choose are used, too */
    const struct node *anew;        /* the loop or function inside that has such an array for itself; NULL: none */
    VEC(const struct node *) strip; /* loops that one iteration runs as a whole, outermost last; their variables are in
                                     * elements */
};

/* What node uses, loops inside being at their first iteration; what goes on behind another loop has none, and what a
 * partial tile does counts for nothing beside the same of a full one. */
void uses_collect(struct uses *uses, const struct node *node);
/* The elements of uses from first on, var being value; those that become the same are one. */
void uses_substitute(struct uses *uses, int first, const struct var *var, const struct affine *value);

#endif
