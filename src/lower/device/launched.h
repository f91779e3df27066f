/* Which parts of the tree the host launches at once. */
#ifndef LOWER_DEVICE_LAUNCHED_H
#define LOWER_DEVICE_LAUNCHED_H

#include "lower/facts/facts.h"

/* Do all statements of node, which are of one kernel of the order, run in one iteration of each of the loops around
 * that? The tree may have several of them one after the other, without the loop. */
bool launched_once(const struct facts *facts, const struct order *order, const struct order *kernel,
                   const struct node *node);

#endif
