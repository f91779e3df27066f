/* Applying the steps of the plan to an order that has been checked. */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include "sched/schedule.h"

/* Applies all steps; stops at the first that is refused. The checked order is the original one from here on: what a
 * step needs to know of dependences, it asks of that. */
enum status plan_apply(struct schedule *schedule);

/* The order has its meaning proved, so it is what later steps have to keep. */
enum status plan_take_order(struct schedule *schedule);

#endif
