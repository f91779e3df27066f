/* What a device that runs kernels can do, as data. Source: CUDA C++ Programming Guide, "Compute Capabilities". */
#ifndef CAPS_GPU_H
#define CAPS_GPU_H

#include "program/axis.h"
#include "program/type.h"

#include <stdbool.h>
#include <stdint.h>

struct gpu {
    int64_t threads;            /* of a block, at most */
    int64_t limit[AXIS_COUNT];  /* blocks of a grid and threads of a block along an axis, at most */
    int64_t shared_bytes;       /* of a block's arrays, at most */
    const char *atomics_of_integers, *atomics_of_floats; /* of 32 and 64 bits; see gpu_atomics */
    int64_t local_bytes;        /* of one thread's array that nobody asked to be there */
};

/* NULL: the language runs on no device. */
const struct gpu *gpu_by_language(const char *language);
/* Has it a matrix instruction for tiles of these numbers of rows, columns and summands? */
bool gpu_has_matrix(const struct gpu *gpu, enum type factor, enum type sum, const int64_t size[3]);
/* The summands of the instruction whose results have so many rows and columns. */
int64_t gpu_matrix_depth(const int64_t size[2]);
/* The updates that it makes of an element in one go, as symbols: "+-&|^<>", < and > being minimum and maximum. */
const char *gpu_atomics(const struct gpu *gpu, enum type type);
/* The axis of "thread.x"; AXIS_NONE: there is none. */
enum axis axis_by_name(const char *name);
const char *axis_name(enum axis axis);

#endif
