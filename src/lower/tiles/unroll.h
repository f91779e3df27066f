/* Loops that are written out: a sequence of copies of their body. */
#ifndef LOWER_TILES_UNROLL_H
#define LOWER_TILES_UNROLL_H

#include "lower/facts/descend.h"

enum { UNROLL_MOST = 256 }; /* copies of a body */

/* The number of iterations, or -1 when it is not a constant. */
int64_t unroll_iterations(const struct node *loop);

/* The copies of the loop's body, a constant number of them, each as `inside` makes it, without what never runs in it.
 * NULL where one of them is. */
const struct node *unroll_copies(const struct facts *facts, const struct node *loop, descend_function *inside);

#endif
