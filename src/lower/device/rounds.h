/* Iterations that all threads of a block go round as one, with literals for how often each has gone round:
 *
 *     for (t = thread; t < 1024; t += 256) next[t / 256] = ..          becomes
 *     for (int r = 0; r < 4; r++) { const int t = thread + 256 * r; next[r] = .. }
 *
 * or with next[r] = .. thread / 32 + 8 * r .. where all threads are whole rounds of what the number is made of,
 * so that compilers keep what a thread has of each round in registers, and compute with constants. Where each thread
 * has its iterations in a row, t is 4 * thread + r.
 */
#ifndef LOWER_DEVICE_ROUNDS_H
#define LOWER_DEVICE_ROUNDS_H

#include "tree/tree.h"

struct rounds {
    const struct node *loop; /* over the iterations */
    const struct var *number, *thread;
    const struct affine *value; /* number, or the same as a sum */
    struct var *count;          /* of the rounds */
    int64_t threads, n;
    bool in_a_row;
    bool literal; /* compilers are told to unroll them */
};

/* The number of the iteration: thread + 256 * r, or 4 * thread + r. */
const struct affine *rounds_value(struct arena *arena, const struct rounds *rounds);
/* body, which uses the number of the iteration, in such a loop. */
const struct node *rounds_around(struct arena *arena, const struct rounds *rounds, const struct node *body);

#endif
