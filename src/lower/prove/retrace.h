/* The proof that the leaves of a statement in the loop tree run each of its instances exactly once, by what the order
 * says of its times: at which iterations an instance runs.
 *
 * A leaf whose instances are all at the very iterations that the order has for them runs none of them twice, and which
 * ones it runs is a set without the loops' variables: these are functions of the instance. What is left to compare are
 * these sets. Nothing is believed of the order: where its times are others than those of the leaf, that shows.
 */
#ifndef LOWER_PROVE_RETRACE_H
#define LOWER_PROVE_RETRACE_H

#include "lower/lower.h"

/* Is that the faster proof? What unskewed loops without strides run are boxes, which isl compares fast as they are. */
bool retrace_pays(struct lowering *lowering, const struct order *order, const struct statement *statement);
/* Does tree run every instance of the statement exactly once? False says nothing; so it is where isl needs more than
 * `most` operations for that. */
bool retrace_holds(struct lowering *lowering, const struct order *order, const struct node *tree,
                   const struct statement *statement, unsigned long most);

#endif
