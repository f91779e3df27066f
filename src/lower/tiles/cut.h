/* Cutting one loop into pieces within which its inner loops keep one shape. */
#ifndef LOWER_TILES_CUT_H
#define LOWER_TILES_CUT_H

#include "lower/facts/facts.h"

/* loop itself when there is nothing to cut; otherwise a block of pieces whose loops are not cut again:
 * the partial tiles in front, the full ones, the rest. */
const struct node *cut_loop(const struct facts *facts, const struct node *loop);

/* An ascending loop of tiles with its end where its last tile ends, or what there is of it: `j < 12` for tiles
 * of 5 that start at 0, 5 and 10. */
const struct node *cut_end(const struct facts *facts, const struct node *loop);

#endif
