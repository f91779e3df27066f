/* Ends of loops that mean the same without divisions.
 *
 * isl writes the end of a loop in the form it found first, which for tiles of tiles, and for loops around partial
 * tiles, may be one with divisions. What the end should be is known from how the loops were made; that it is the same
 * is proved.
 */
#ifndef LOWER_TILES_PLAIN_END_H
#define LOWER_TILES_PLAIN_END_H

#include "lower/facts/facts.h"

/* loop, ascending over tiles, with the end that a loop inside tells: i < M for i <= min(M, 2 * M - 3 * (M / 3) - 1). */
const struct node *plain_end(const struct facts *facts, const struct node *loop);
/* loop, itself through a tile of 5, with the ends of its parts, tiles of 2, as min(2, 5 - ii) for 2 - (ii + 2) / 6. */
const struct node *plain_parts(const struct facts *facts, const struct node *loop);
/* loop, ascending by more than one, up to the whole of what it goes through: k < K for k < K - 3, where K is a multiple
 * of 4, as the step is. */
const struct node *whole_end(const struct facts *facts, const struct node *loop);

#endif
