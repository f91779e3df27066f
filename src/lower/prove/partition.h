/* The proof that the leaves of a statement in the loop tree run each of its instances exactly once, for loops whose
 * counts tell the instances (prove/parts.h). It settles what tiles of boxes and their tails are. isl is asked only
 * whether the counts, which the loops may have been made of, are those of the order (lower/prove/counted.h). */
#ifndef LOWER_PROVE_PARTITION_H
#define LOWER_PROVE_PARTITION_H

#include "lower/lower.h"

/* Does tree, made of order, run every instance of the statement exactly once? False says nothing. */
bool partition_holds(struct lowering *lowering, const struct order *order, const struct node *tree,
                     const struct statement *statement);

#endif
