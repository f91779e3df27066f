/* Where a loop of a kernel runs: one of the launch's axes. */
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
    AXIS_COUNT,
};

static inline bool axis_is_block(enum axis axis)
{
    return axis >= AXIS_BLOCK_X && axis <= AXIS_BLOCK_Z;
}

static inline bool axis_is_thread(enum axis axis)
{
    return axis >= AXIS_THREAD_X;
}

#endif
