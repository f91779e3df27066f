/* The verifier of the loop tree: what tree.h says of every tree, looked at after each pass.
 *
 *   identity   each variable comes from struct vars; its name is a name, and no text of a target
 *   scope      what an expression uses is bound around it: a parameter, the variable of a LOOP, VALUE, LET, TUPLE (and
 *              its parts) or POINTER around, or a position of the launch in a KERNEL; nothing is bound inside of itself
 *   lanes      a vector has at least two lanes
 *
 * A violation is an error of the pass: it is noted in vars->broken, which ends the compilation with an internal error.
 */
#ifndef TREE_VERIFY_H
#define TREE_VERIFY_H

#include "tree/tree.h"
#include "tree/vars.h"

/* tree itself; NULL after noting what is wrong with it. NULL flows through. */
const struct node *tree_verified(struct vars *vars, const char *pass, const struct node *tree);

#endif
