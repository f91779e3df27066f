/* Giving each iteration of a loop its own elements of a temporary. */
#ifndef SCHED_STEPS_EXPAND_H
#define SCHED_STEPS_EXPAND_H

#include "sched/edit.h"

/* What {"expand": array, "over": [loop]} does, for another step that needs it; statements outside of the loop keep the
 * array. Refused with the reason. */
enum status expand_over_loop(struct schedule *schedule, const struct step *step, const struct array *array,
                             const struct loop_ref *loop);

#endif
