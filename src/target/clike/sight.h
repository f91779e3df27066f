/* The last look at names, in front of the printers: where the text uses a name, C finds what the tree means. */
#ifndef TARGET_CLIKE_SIGHT_H
#define TARGET_CLIKE_SIGHT_H

#include "program/program.h"
#include "tree/tree.h"

/* The first name under which C would find something else than what is meant there, as in `for (int t0 = t0; ..`; NULL:
 * there is none. Parameters, scalars and arrays are in sight everywhere; what a node binds is in sight of the node's
 * own expressions, of all below it and, where the printers need no braces, of what follows in the block. */
const char *sight_hidden_name(struct arena *arena, const struct program *program, const struct var *const *param_var,
                              const struct node *tree);

#endif
