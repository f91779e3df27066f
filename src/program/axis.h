/* Where a loop of a kernel runs: one of the launch's axes, or a digit of the position on one.
 *
 * Several nested loops that are one loop on an axis, a tuple, are digits of its positions: the innermost loop is on the
 * axis itself, the ones around it are on its carries, from the finest to the coarsest.
 */
#ifndef PROGRAM_AXIS_H
#define PROGRAM_AXIS_H

#include <stdbool.h>

enum axis {
    AXIS_NONE, /* one iteration after the other */
    AXIS_BLOCK_X,
    AXIS_BLOCK_Y,
    AXIS_BLOCK_Z,
    AXIS_THREAD_X,
    AXIS_THREAD_Y,
    AXIS_THREAD_Z,
    AXIS_THREAD, /* all threads of a block, numbered with x fastest */
    AXIS_CARRY,  /* those of block.x .. thread.z, then the next ones, .. */
};

enum {
    LAUNCH_AXES = AXIS_THREAD - AXIS_BLOCK_X,
    WHOLE_AXES = AXIS_CARRY, /* those that are no digits, AXIS_NONE and AXIS_THREAD among them */
    AXIS_DIGITS = 4,
    AXIS_COUNT = AXIS_CARRY + (AXIS_DIGITS - 1) * LAUNCH_AXES
};

/* Digit number k (0 is the finest) of the positions on an axis. */
static inline enum axis axis_digit(enum axis axis, int k)
{
    return (enum axis)(k == 0 ? (int)axis : AXIS_CARRY + (k - 1) * LAUNCH_AXES + (int)axis - AXIS_BLOCK_X);
}

/* The axis that it is a digit of: most are their only one. */
static inline enum axis axis_whole(enum axis axis)
{
    return axis < AXIS_CARRY ? axis : (enum axis)(AXIS_BLOCK_X + (axis - AXIS_CARRY) % LAUNCH_AXES);
}

static inline bool axis_is_block(enum axis axis)
{
    return axis_whole(axis) >= AXIS_BLOCK_X && axis_whole(axis) <= AXIS_BLOCK_Z;
}

static inline bool axis_is_thread(enum axis axis)
{
    return axis_whole(axis) >= AXIS_THREAD_X;
}

#endif
