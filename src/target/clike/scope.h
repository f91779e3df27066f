/* Which names declared in a block of the emitted code may be seen by what follows in it. */
#ifndef TARGET_CLIKE_SCOPE_H
#define TARGET_CLIKE_SCOPE_H

#include "tree/tree.h"

/* Does node declare a name for its body? */
bool binds_name(const struct node *node);
/* Does nothing of what follows in a block declare name there? */
bool name_is_free(const char *name, const struct node *const *following, int n);
/* Does something in node use the array, and not only a vector that stands for its elements? */
bool uses_array(const struct node *node, const struct array *array);
/* Can the values that node declares stay visible while what follows it in its block runs? */
bool names_may_stay(const struct node *node, const struct node *const *following, int n);

#endif
