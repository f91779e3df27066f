/* Are the iterations of a loop plainly independent? Most loops that are to run at once or in lanes write elements of
 * their own in each iteration; no check of the plan has to look further then. */
#ifndef PLAN_CHECK_SEPARATE_H
#define PLAN_CHECK_SEPARATE_H

#include "sched/schedule.h"

/* Is there no pair of instances below a loop with this info that touch one element, one of them writing, at one time
 * of the loops around, but not of the loop and of the n - 1 loops directly below? No when isl cannot tell. */
bool loop_separates(const struct schedule *schedule, const struct loop_info *info, int n);

#endif
