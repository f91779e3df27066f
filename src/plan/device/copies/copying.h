/* A copy to or from a buffer that the threads of a block have together: its loops, and what they copy. */
#ifndef PLAN_DEVICE_COPIES_COPYING_H
#define PLAN_DEVICE_COPIES_COPYING_H

#include "base/vec.h"
#include "plan/loop_plan.h"
#include "sched/order.h"
#include "sched/schedule.h"

enum { MAX_LOOPS = 32 };

/* The loops of a copy, outermost first, and what they copy. */
struct copying {
    struct schedule *schedule;
    int64_t threads[3], all;          /* of a block */
    const struct order *kernel;       /* at hand, */
    int n_outside;                    /* so many loops being around it */
    VEC(const struct order *) around; /* the loops around the place at hand, outermost first */
    const struct order *loop[MAX_LOOPS];
    isl_union_pw_aff *time[MAX_LOOPS]; /* of the loops, from 0 on in each iteration of those around; of the arena */
    int64_t size[MAX_LOOPS];           /* 0: only the launch knows it, */
    struct expr *extent[MAX_LOOPS];    /* which is this */
    int slowest[MAX_LOOPS];            /* the loops in the order in which threads go over them, slowest first */
    int n;
    const struct order *leaf;
    enum run_copies copies;
    int64_t rounds;                   /* see struct loop_plan */
    const struct loop_plan *unrolled; /* of a loop that threads go round together; NULL: none */
};

/* A copy's access to its buffer, where threads have that together, or to what is copied. */
const struct access *copying_access(const struct statement *statement, bool buffer);
enum axis copying_axis(const struct order *order); /* that a loop is bound to */
/* The copy whose outermost loop is order; false when it is none, or a step has bound its loops. */
bool copying_find(struct copying *copying, const struct order *order);

#endif
