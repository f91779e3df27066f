/* Part of pass "tiles": loops over tiles in registers, written out. */
#ifndef LOWER_INSTR_TILE_UNROLL_H
#define LOWER_INSTR_TILE_UNROLL_H

#include "lower/instr/tile_parts.h"

/* The tree with copies of what is inside of each loop that tells tiles of sums apart; NULL after a refusal. */
const struct node *tile_unroll(struct tiles *tiles, const struct node *tree);

#endif
