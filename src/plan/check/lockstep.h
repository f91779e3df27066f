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

#include "sched/schedule.h"

/* schedule's order with the loop of info around each of the statements in it. Loops in between of which each lane has
 * one iteration stay inside of it. */
const struct order *lockstep_order(const struct schedule *schedule, const struct loop_info *info);

#endif
