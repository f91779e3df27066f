/* Loops of a few iterations in each of which something else is done. */
#ifndef LOWER_TILES_SPREAD_H
#define LOWER_TILES_SPREAD_H

#include "lower/facts/facts.h"

/* A block of the loop's iterations, refined, one after the other, where that has no more statements; else the loop
 * itself, refined but for this. NULL on an overflow. */
const struct node *spread_loop(const struct facts *facts, const struct node *loop);

#endif
