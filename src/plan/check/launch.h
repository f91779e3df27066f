/* Does every launch fit the device? */
#ifndef PLAN_CHECK_LAUNCH_H
#define PLAN_CHECK_LAUNCH_H

#include "sched/schedule.h"

/* Refused: two loops on one axis inside each other, and blocks of more threads than there are, as far as their number
 * is known; the emitted launcher tests the others. Grids that are too large are walked. */
enum status launch_check(const struct schedule *schedule);

#endif
