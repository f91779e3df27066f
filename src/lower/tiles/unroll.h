/* Loops that are written out: a sequence of copies of their body. */
#ifndef LOWER_TILES_UNROLL_H
#define LOWER_TILES_UNROLL_H

#include "lower/facts/facts.h"

enum { UNROLL_MOST = 256 }; /* copies of a body */

/* The number of iterations, or -1 when it is not a constant. */
int64_t unroll_iterations(const struct node *loop);

/* What becomes of a copy; NULL after a refusal. */
typedef const struct node *node_in_facts(const struct facts *facts, const struct node *node);
/* The copies of the loop's body, a constant number, without what never runs in one. */
const struct node *unroll_copies(const struct facts *facts, const struct node *loop, node_in_facts *inside);

#endif
