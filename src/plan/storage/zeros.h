/* Zeros where they are needed: temporaries with "init": 0.
 *
 * The reads of such an array that no write precedes see a zero. When there are none, nothing is zeroed. When all values
 * stay in one iteration c of some loops, so that contraction will leave what one iteration touches, each iteration
 * writes its own zeros first, in a new statement:
 *     { C_zero[c, a] : some read in iteration c sees the zero of C[a] }     C[a] = 0
 * Any other array keeps its zeros from the start.
 */
#ifndef PLAN_STORAGE_ZEROS_H
#define PLAN_STORAGE_ZEROS_H

#include "sched/schedule.h"

/* What becomes of the program, its order and "init": 0 (by array). */
struct zeros {
    const struct program *program;
    const struct order *order;
    const bool *settled; /* needs no zeros from the start any more */
};

/* The schedule's program in its final order, with the statements that write zeros. */
struct zeros zeros_place(struct schedule *schedule);

#endif
