/* Pass "tile setup": each thread that uses registers of tiles gives them their shape first, and gives them up at the
 * end. Behind the regions: a parallel loop with tiles becomes a region, where each thread has a place for that. */
#ifndef LOWER_INSTR_TILE_SETUP_H
#define LOWER_INSTR_TILE_SETUP_H

#include "tree/tree.h"

const struct node *lower_tile_setup(struct arena *arena, const struct node *tree);

#endif
