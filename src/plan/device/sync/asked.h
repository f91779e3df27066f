/* Barriers that steps ask for. */
#ifndef PLAN_DEVICE_SYNC_ASKED_H
#define PLAN_DEVICE_SYNC_ASKED_H

#include "plan/device/sync/barrier.h"
#include "sched/schedule.h"

/* The kernel with those of its loops' plans, which are the last ones of the list then. A barrier runs in every
 * iteration in which something runs beside it. NULL after refusing one that blocks would have to wait at. */
const struct order *asked_barriers(const struct schedule *schedule, struct barriers *barriers,
                                   const struct order *kernel);
/* Refuses those before or after a loop of the host; the loop's plan may be NULL. */
enum status asked_of_host(const struct schedule *schedule, const struct order *loop);

#endif
