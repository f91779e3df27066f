/* What devices that run kernels can do, as data. */
#ifndef CAPS_GPU_H
#define CAPS_GPU_H

#include "base/arena.h"
#include "program/axis.h"
#include "program/type.h"

#include <stdbool.h>
#include <stdint.h>

/* What devices are compiled for. */
struct gpu_arch {
    const char *name;     /* "sm_80" */
    int version;          /* of matrix instructions and bf16: 80. Code for one of them runs on later ones, too */
    int64_t shared_bytes; /* of a block, at most, where the launch asks for them */
    int warp;             /* threads that exchange values: 32 or 64 */
};

/* A matrix instruction, by the shape of its tiles. */
struct gpu_matrix {
    enum type factor, sum;
    int64_t size[3];   /* m rows, n columns, k summands */
    const char *since; /* the first architecture that has it */
};

struct gpu {
    int64_t threads;           /* of a block, at most */
    int64_t limit[AXIS_COUNT]; /* blocks of a grid and threads of a block along an axis, at most */
    int64_t shared_bytes;      /* of the arrays that a kernel declares for a block, at most */
    const char *atomics_of_integers, *atomics_of_floats; /* of 32 and 64 bits, of which halves have sums, too */
    const char *atomics_of_longs;                        /* of i64, */
    int exchanged_bits;  /* of the smallest word that is exchanged if it has not changed */
    int64_t resident;    /* threads per multiprocessor, at most; 0: launch bounds say nothing of resident blocks */
    int64_t registers;   /* of a thread, of 32 bits, at most */
    int64_t local_bytes; /* of one thread's array that nobody asked to be there */
    const struct gpu_arch *archs;    /* then one without a name */
    const char *usual_arch;          /* the one that is meant when none is given */
    const struct gpu_matrix *matrix; /* n_matrix instructions for tiles */
    int n_matrix;
    bool warps_differ; /* in size, between architectures */
    bool lacks_async;  /* copies that run beside other work */
};

/* What devices of all architectures have. NULL: the language runs on no device. */
const struct gpu *gpu_by_language(const char *language);
/* NULL for a name: the one that is meant when none is given. Returns NULL for a name that is none. */
const struct gpu_arch *gpu_arch_by_name(const struct gpu *gpu, const char *name);
/* The names of all, then NULL. */
const char *const *gpu_arch_names(struct arena *arena, const struct gpu *gpu);
/* The first architecture with a matrix instruction for tiles of these numbers of rows, columns and summands; NULL: none
 * has it. */
const struct gpu_arch *gpu_matrix_since(const struct gpu *gpu, enum type factor, enum type sum, const int64_t size[3]);
/* "16 x 16 x 16, 32 x 8 x 16": the tiles for which there are instructions; NULL: there are none of these types. */
const char *gpu_matrix_sizes(const struct gpu *gpu, struct arena *arena, enum type factor, enum type sum);
/* The updates that it makes of an element in one go, as symbols: "+-&|^<>", < and > being minimum and maximum. */
const char *gpu_atomics(const struct gpu *gpu, enum type type);
/* The other ones that it makes by exchanging an element that has not changed meanwhile. */
const char *gpu_exchanges(const struct gpu *gpu, enum type type);
/* Does it compute with numbers of the type? Not with bf16 before sm_80. */
bool gpu_computes(const struct gpu_arch *arch, enum type type);
/* The axis of "thread.x"; AXIS_NONE: there is none. */
enum axis axis_by_name(const char *name);
const char *axis_name(enum axis axis);

#endif
