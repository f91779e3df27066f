/* Tails that only a plan can keep. */
#ifndef PLAN_TAILS_H
#define PLAN_TAILS_H

#include "sched/schedule.h"

/* Refused: a rest that is to be masked, of a loop that does not run in vectors or for a target without masks. */
enum status tails_check(const struct schedule *schedule);

#endif
