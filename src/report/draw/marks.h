/* Part of report/draw/draw.h: what the plan makes of loops, told of each instance: which run in one vector, and which
 * thread, or iteration of a parallel loop, runs them. */
#ifndef REPORT_DRAW_MARKS_H
#define REPORT_DRAW_MARKS_H

#include "report/draw/instances.h"

/* A thread of a block, or one or several iterations of a parallel loop, which one thread runs. */
struct worker {
    const char *name; /* "block (1, 0), thread 5", "iteration i = 8" */
    int block;        /* number of its block */
    int thread;       /* number within the block; of iterations, among all of them */
};

struct drawn_vector {
    const struct instance **lane; /* by lane; n of them */
    int n;
    bool full; /* no lane is left over */
    bool open; /* one or several: the types that are computed with, or the compiler, decide how many lanes they have */
};

struct marks {
    struct worker *worker; /* in the order of their positions */
    int n_worker;
    bool on_device; /* they are threads of blocks */
    struct drawn_vector *vector;
    int n_vector;
};

/* Also sets `worker`, `vector` and `lane` of the instances. */
struct marks marks_find(struct arena *arena, const struct instances *instances, __isl_keep isl_set *sizes);

#endif
