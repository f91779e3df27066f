/* Tiles in registers of a CPU, as the functions that the target's table names. */
#ifndef TARGET_CLIKE_TILE_H
#define TARGET_CLIKE_TILE_H

#include "target/clike/emitter.h"

/* The lines of an assignment of a whole tile. */
void tile_print(struct emitter *emitter, const struct node *assign);
/* The registers of a TILES node get their shape, and give it up. */
void tile_print_begin(struct emitter *emitter, const struct node *node);
void tile_print_end(struct emitter *emitter);
/* The condition under which the function may use tiles. */
const char *tile_test(struct emitter *emitter);

#endif
