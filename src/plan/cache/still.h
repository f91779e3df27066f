/* Statements below a loop that it does not repeat: those of nests that were fused with the loop's own. */
#ifndef PLAN_CACHE_STILL_H
#define PLAN_CACHE_STILL_H

#include "sched/schedule.h"

/* Takes statements that stand at one count of a loop with this identity out of it, where the loops around keep them
 * apart from everything else in it: nothing changes its place in time. */
void still_take_out(struct schedule *schedule, int id);
/* Do all statements in this copy of a loop stand at one count of it? */
bool still_is(const struct schedule *schedule, const struct order *loop);

#endif
