/* Copies of buffers whose extents are known only at the launch, dealt out to the threads of a block. */
#ifndef PLAN_DEVICE_COPIES_DEALING_H
#define PLAN_DEVICE_COPIES_DEALING_H

#include "plan/loop_plan.h"
#include "sched/schedule.h"

/* A copy: its loops, outermost first, which count from 0 on. */
struct dealing {
    struct schedule *schedule;
    const int64_t *threads; /* of a block, along x, y and z; 0: only the launch knows it */
    const struct order *const *loop;
    isl_union_pw_aff *const *time;
    const int64_t *size;        /* of each loop; 0: only the launch knows it, */
    struct expr *const *extent; /* which is this */
    const int *slowest;         /* the loops in the order in which threads go over them, slowest first */
    int n;
    const struct order *leaf;
    enum run_copies copies;
};

/* Its loops with the threads that they are dealt out to: along rows and columns where the block has these, else the
 * fastest loops, as far as their extents are constants, with the one around them as one. */
const struct order *deal_copy(const struct dealing *dealing);
/* Is the loop one whose iterations are dealt out, however many they are? */
bool is_dealt(const struct loop_info *info);

#endif
