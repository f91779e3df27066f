/* Concrete points of a set: the counterexamples that people are shown. */
#ifndef POLY_SAMPLE_H
#define POLY_SAMPLE_H

#include "base/arena.h"

#include <isl/set.h>
#include <stdbool.h>
#include <stdint.h>

/* A point of { [d0,..] : } with parameters; values beyond 64 bits do not occur in samples. */
struct sample {
    int64_t *param; /* in the order of the set's parameters */
    int n_param;
    int64_t *dim;
    int n_dim;
};

/* The smallest point: lexicographically by the parameters in order, then by the dimensions in order;
 * any point where there is no smallest one. True when found; false when the set is empty or on an isl error.
 * A wrapped map [A -> B] counts the dimensions of A, then those of B. */
bool poly_smallest(struct arena *arena, __isl_take isl_set *set, struct sample *sample);

#endif
