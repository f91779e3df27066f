/* Loops in lanes whose iterations have arrays for themselves: each becomes strips of as many iterations as a vector has
 * lanes, as by `split`, where no constant bounds its iterations. Such an array gets a dimension for the lanes then.
 */
#ifndef PLAN_LANE_STRIPS_H
#define PLAN_LANE_STRIPS_H

#include "sched/schedule.h"

/* The plan of `schedule` was applied to `before` and found right. Where it has loops that need strips, `before` gets
 * them, and steps `vectorize` that name the loops inside of these; false: there is none, or not all can have them. */
bool lane_strips(const struct schedule *schedule, struct schedule *before);

#endif
