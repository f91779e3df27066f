/* Bounds of loops without what is known where they stand. */
#ifndef LOWER_TILES_REFINE_BOUND_H
#define LOWER_TILES_REFINE_BOUND_H

#include "lower/facts/facts.h"

/* bound with the arguments of its minimum or maximum that matter where facts hold, each in its shorter form. */
const struct affine *refine_bound(const struct facts *facts, const struct affine *bound);
/* A loop from max(0, 8 - 8 * i) to 7, constants, runs as a whole or not at all: it goes from 0 where 8 - 8 * i <= 0.
 * Another loop as it is. */
const struct node *refine_whole(const struct facts *facts, const struct node *loop);

#endif
