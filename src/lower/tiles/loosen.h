/* Bounds of a tile's loops that are easier to read. */
#ifndef LOWER_TILES_LOOSEN_H
#define LOWER_TILES_LOOSEN_H

#include "lower/facts/facts.h"

/* loop, an inner part, without those arguments of its bounds before or behind which the loops inside have no
 * iterations anyway: at most the rest of a tile more is stepped over. Simple bounds stay exact. */
const struct node *loosen_loop(const struct facts *facts, const struct node *loop);

#endif
