/* What the plan asks of loops, proved against the dependences of the final program and order. */
#ifndef PLAN_CHECK_H
#define PLAN_CHECK_H

#include "sched/schedule.h"

/* Vectorised loops: all lanes of a statement read, then all lanes write, statement after statement, which must keep
 * every dependence. Parallel loops: they carry nothing. Refused with the two iterations that conflict. */
enum status plan_check(const struct schedule *schedule);

#endif
