/* The order in which the lanes of a vector loop run: each statement for all lanes before the next one.
 *
 *     for (v) {                          for (k)
 *         for (k)                            { S for all v; T for all v }
 *             { S; T }          is         { U for all v }    (here l = v, which is no loop in the emitted code: the
 *         for (l = v; l <= v)                                  lanes run U at once, each at its own l)
 *             U;
 *     }
 */
#ifndef PLAN_CHECK_LOCKSTEP_H
#define PLAN_CHECK_LOCKSTEP_H

#include "base/vec.h"
#include "sched/schedule.h"

/* (A part of) the schedule's order with the loop of info around each of the statements in it. Loops in between of which
 * each lane has one iteration stay inside of it. */
const struct order *lockstep_order(const struct schedule *schedule, const struct order *order,
                                   const struct loop_info *info);

/* Loops around a place, the outermost first. */
struct lockstep_loops {
    VEC(const struct order *) loop;
};

/* S[i,j] -> [t0,t1]: the counts of these loops, of the instances. */
__isl_give isl_union_map *lockstep_times(const struct lockstep_loops *loops, __isl_take isl_union_set *instances);
/* Have the instances that one iteration of these loops runs at most one count in loop? */
bool lockstep_is_own(const struct program *program, const struct lockstep_loops *loops, const struct order *loop,
                     __isl_keep isl_union_set *instances);

#endif
