/* Privacy by itself: where temporaries that each iteration could have for itself are all that keeps a loop of the plan
 * from running in threads, lanes or blocks, iterations get them, as by steps `privatize` that the user did not write.
 * Copies with `jam` get theirs first.
 */
#ifndef PLAN_PRIVACY_H
#define PLAN_PRIVACY_H

#include "sched/schedule.h"

/* What there was before the plan: where it starts again with more steps. */
struct before_plan {
    struct schedule schedule;
    int reported; /* diagnostics */
};

/* {"privatize": array, "at": loop, "as": own}, at that place in the file; own may be NULL. */
struct step privacy_step(struct arena *arena, const char *array, const char *loop, const char *own, struct place place);

/* Checks the plan that was applied. Where a loop is refused for temporaries of its iterations, the plan is applied
 * again from `before`, with a step for each of them in front of the one that asks for the loop. These steps are in the
 * plan of the schedule's program then, as number 0. */
enum status privacy_check(struct schedule *schedule, const struct before_plan *before);

#endif
