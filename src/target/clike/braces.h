/* Where C needs braces, or the reader does. */
#ifndef TARGET_CLIKE_BRACES_H
#define TARGET_CLIKE_BRACES_H

#include "tree/tree.h"

/* Is it more than one statement of C? */
bool braces_needed(const struct node *body);
/* The same, to the eye or to a compiler: with -fopenmp-simd alone gcc takes a directive about threads for a statement
 * of its own. */
bool braces_wide(const struct node *body);
/* Does an else go on with it on its line? */
bool braces_else_if(const struct node *otherwise);
/* Do the branches of a chain of conditions have braces? All or none. */
bool braces_of_branches(const struct node *node);

#endif
