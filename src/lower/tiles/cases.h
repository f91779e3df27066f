/* Tail "cases": a function for each remainder of a loop's tiles.
 *
 *     for (i = 0; i < M; i += 4)                       if (i + 4 <= M)
 *         for (ii = 0; ii < min(4, M - i); ii++)           for (ii = 0; ii < 4; ii++) ..
 *             ..                             becomes   else
 *                                                          switch (M - i) {
 *                                                          case 1: f_ii_1(..); break;
 *                                                          ..
 * so that every loop through a tile has literal bounds. What else ends at M - i in a tile (copies, loops inside) does,
 * too.
 */
#ifndef LOWER_TILES_CASES_H
#define LOWER_TILES_CASES_H

#include "lower/facts/facts.h"

/* loop, of tiles, with cases as far out as the ends of its parts are known, not yet refined; itself when all its tiles
 * are full. Where the remainders cannot be functions, it is loop itself, too, or, with report, NULL after a message. */
const struct node *cases_loop(const struct facts *facts, const struct node *loop, bool report);
/* The partial tile in loop, whose bounds are constants, as a function: the head or the tail of it. */
const struct node *cases_piece(struct arena *arena, const struct node *loop, const char *which);

#endif
