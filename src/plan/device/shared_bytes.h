/* The shared memory that the arrays of a kernel take in a block, as far as it is known before the launch. */
#ifndef PLAN_DEVICE_SHARED_BYTES_H
#define PLAN_DEVICE_SHARED_BYTES_H

#include "program/program.h"

/* Of the arrays of one kernel so far. */
struct shared_bytes {
    int64_t least;
    bool symbolic; /* what is more only the launch knows */
};

/* Adds those of array, for all iterations of a run, which starts at a multiple of 16 bytes, or of more. */
void shared_bytes_add(struct shared_bytes *sum, const struct program *program, const struct array *array);
/* Has it strides of its own that do not tell its size now? */
bool shared_bytes_are_strided(const struct program *program, const struct array *array);

/* Does only the launch know its size? */
bool shared_bytes_are_symbolic(const struct program *program, const struct array *array);

#endif
