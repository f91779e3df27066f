/* tail "guard": one copy of a split's body, with conditions inside. */
#ifndef LOWER_TILES_GUARD_H
#define LOWER_TILES_GUARD_H

#include "lower/lower.h"

/* loop as a piece that is not cut, whose inner parts run over full tiles and test inside. */
const struct node *guard_loop(struct lowering *lowering, const struct node *loop);

#endif
