/* Steps on the loops of a statement that a program step is about to take out of them. */
#ifndef SCHED_STEPS_UNDONE_H
#define SCHED_STEPS_UNDONE_H

#include "sched/steps/moving.h"

/* Refuses where earlier steps of the schedule changed the order of the statement that moves, which will have none of
 * its loops any more: a `peel` would vanish without a word. kept: loops that stay around it (depth of them). */
enum status undone_check(const struct moving *moving, const struct order *const *kept, int depth);

#endif
