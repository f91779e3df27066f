/* The positions of a kernel's launch: blocks and threads along each axis. */
#ifndef LOWER_DEVICE_POSITIONS_H
#define LOWER_DEVICE_POSITIONS_H

#include "base/vec.h"
#include "tree/tree.h"

struct gpu;
struct vars;

struct positions {
    struct arena *arena;
    const struct gpu *gpu;
    struct launch *launch;
    const struct var *whole[WHOLE_AXES];        /* the position on an axis */
    const struct var *number[WHOLE_AXES];       /* the same, or where a block has a run of them, of block and thread */
    const struct var *number_first[WHOLE_AXES]; /* that of the first one of a run, where blocks walk through runs */
    const struct var *nothing[AXIS_DIGITS];     /* what stands for its digits */
    const struct var *at[AXIS_COUNT];           /* the same, or first + a digit of it */
    const struct affine *first[AXIS_COUNT];     /* a constant, 0 but for digits */
    bool walking[WHOLE_AXES];       /* are we in a loop in which a block walks through positions of digits? */
    bool ended[WHOLE_AXES];         /* and does that loop end with the last one for each thread? */
    VEC(const struct node *) value; /* the VALUEs of the kernel, which ends of loops may be */
};

/* Those of kernel, with the extents of its launch; param_least: the least values of the parameters. */
struct positions positions_of(struct arena *arena, const struct gpu *gpu, const struct node *kernel,
                              const int64_t *param_least, struct vars *vars);
/* The extent that loops on axis below node need; NULL: there are none. */
const struct affine *positions_extent_below(const struct positions *positions, const struct node *node, enum axis axis);
/* The position on the axis: threadIdx.x + 16 * threadIdx.y + .. where it counts all threads. */
const struct affine *positions_value(const struct positions *positions, enum axis axis);
/* Are the iterations of the bound loop as many as the positions of its axis, but perhaps for the last block's? */
bool positions_are_as_many(const struct positions *positions, const struct node *loop);
/* How many positions of a run of threads may be past the last iteration of the bound loop, at most. */
int64_t positions_past_last(const struct positions *positions, const struct node *loop);
/* Is there an iteration of the bound loop for every position of its axis? */
bool positions_are_whole(const struct positions *positions, const struct node *loop);
/* The most blocks along an axis. */
int64_t positions_blocks(const struct positions *positions, enum axis axis);
/* May there be fewer blocks than iterations, so that each walks on? */
bool positions_walk(const struct positions *positions, const struct node *loop);
/* The threads of a block, as far as their number is known. */
int64_t positions_threads(const struct positions *positions);

/* The axes of a loop on axis: that of the threads of a run, too. */
unsigned positions_bits(const struct positions *positions, enum axis axis);
/* 1 << axis, or all thread axes. */
unsigned axis_bits(enum axis axis);
/* The axes of bound loops in node. */
unsigned node_axes(const struct node *node);

#endif
