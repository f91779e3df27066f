/* Part of pass "tiles": which registers the tiles are in. */
#ifndef LOWER_INSTR_TILE_REGISTERS_H
#define LOWER_INSTR_TILE_REGISTERS_H

#include "lower/instr/tile_parts.h"

/* The tree with registers for all of its tiles; factors stay in what sums leave as long as products in a row use them.
 * NULL after a refusal. */
const struct node *tile_registers(struct tiles *tiles, const struct node *tree);
/* The shape of the registers that node uses; n is 0 where it uses none. */
struct tile_shape tile_shape_of(const struct node *node);

#endif
