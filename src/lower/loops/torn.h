/* Pieces of loops that iterations with arrays of their own must not be cut into. */
#ifndef LOWER_LOOPS_TORN_H
#define LOWER_LOOPS_TORN_H

#include "tree/tree.h"

#include <stdbool.h>

struct program;

/* Does a piece of a loop fill, or use, an array that each iteration has for itself (array->within), the other being in
 * another piece? Statements are leaves yet. */
bool lower_torn(const struct program *program, const struct node *tree);

#endif
