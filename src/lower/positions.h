/* The positions of a kernel's launch: blocks and threads along each axis. */
#ifndef LOWER_POSITIONS_H
#define LOWER_POSITIONS_H

#include "tree/tree.h"

struct gpu;

struct positions {
    struct arena *arena;
    const struct gpu *gpu;
    struct launch *launch;
    const struct var *at[AXIS_COUNT]; /* the position on an axis */
};

/* Those of kernel, with the extents of its launch; param_least: the least values of the parameters; *next_var is the id
 * of the next variable. */
struct positions positions_of(struct arena *arena, const struct gpu *gpu, const struct node *kernel,
                              const int64_t *param_least, int *next_var);
/* The position on the axis: threadIdx.x + 16 * threadIdx.y + .. where it counts all threads. */
const struct affine *positions_value(const struct positions *positions, enum axis axis);
/* Is there an iteration of the bound loop for every position of its axis? */
bool positions_are_whole(const struct positions *positions, const struct node *loop);
/* Are there more blocks than a grid has, so that each walks? */
bool positions_walk(const struct positions *positions, const struct node *loop);
/* The threads of a block, as far as their number is known. */
int64_t positions_threads(const struct positions *positions);

/* 1 << axis, or all thread axes. */
unsigned axis_bits(enum axis axis);
/* The axes of bound loops in node. */
unsigned node_axes(const struct node *node);

#endif
