/* Pass "vectors": a loop that is to run in vector lanes becomes its body for all lanes at once.
 *
 *     for (v = 0; v < 16; v++) acc[v] += a * B[j + v]     is one assignment of 16 lanes; loops of more iterations than
 * a register has lanes step over them. Conditions inside that hold for the first lanes only become masks; what does
 * not depend on the lane is the same in all.
 */
#ifndef LOWER_VECTOR_VECTORS_H
#define LOWER_VECTOR_VECTORS_H

#include "lower/lower.h"

/* tree, of ASSIGN leaves; NULL after refusing, with the reason, a loop that has no form in vectors of the target. The
 * names of its variables are taken. */
const struct node *lower_vectors(struct lowering *lowering, const struct node *tree);

#endif
