/* Statements that leave a loop inside of a vector loop, each by itself.
 *
 *     for (v)                             S for all v
 *         for (k = 0; k <= v; k++) {      T for all v
 *             if (k == 0) S;         is
 *             if (k == v) T;              (each has one k in a lane, but not the same)
 *         }
 *
 * lockstep_order keeps the loop there, for what such statements are to each other. What lanes of one of them are to
 * each other, or of several at the same k, has to be judged without the loop.
 */
#ifndef PLAN_CHECK_LOCKSTEP_PARTS_H
#define PLAN_CHECK_LOCKSTEP_PARTS_H

#include "base/vec.h"
#include "sched/schedule.h"

struct lockstep_parts {
    VEC(const struct order *) order;
};

/* order, which is (a part of) the schedule's, less all but the instances of such statements, one set of them after the
 * other. Those stay in the loop that run in an iteration of one that does not leave it. */
struct lockstep_parts lockstep_parts(const struct schedule *schedule, const struct order *order,
                                     const struct loop_info *info);

#endif
