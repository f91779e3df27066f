/* Pass "refine" for a part of the tree. */
#ifndef LOWER_TILES_REFINE_H
#define LOWER_TILES_REFINE_H

#include "lower/facts/facts.h"

/* node with its loops cut, and its bounds and conditions without what facts say; an empty block when it does
 * nothing. */
const struct node *refine_inside(const struct facts *facts, const struct node *node);

#endif
