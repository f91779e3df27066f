/* Where the elements of a tile in registers lie in memory: at each instance of a product, or of a copy, the element
 * that the instruction takes, so many bytes from row to row, must be the statement's, and in the part that there is of
 * the tile. A part of prove/run_subscripts.h. */
#ifndef LOWER_PROVE_RUN_TILES_H
#define LOWER_PROVE_RUN_TILES_H

#include "tree/tree.h"

enum { TILE_FACTORS = 2 };

/* What of a tile is in memory: element is the first one; and where the element of an instance is from there. */
struct tile_access {
    const struct element *element;
    const struct tile_place *place;
    int64_t row, offset; /* its row, and elements from there on */
};

/* Those of the node's tile, for the instance with these numbers of its inner dimensions; how many they are. */
int tile_accesses(const struct node *node, const int64_t *inner, struct tile_access access[TILE_FACTORS]);

#endif
