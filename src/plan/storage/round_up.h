/* Tail "round_up": the last tile of a loop runs in full.
 *
 * A statement below a loop whose rest is to be rounded up gets the instances that its partial tiles lack. What they
 * compute must be unobservable:
 *   - they write elements of buffers that nothing else reads, and that are not flushed;
 *   - they read elements of buffers, filled with zeros where nothing else has written them (zeros.h), or elements
 *     of arrays that are there anyway;
 *   - nothing they compute can trap or is undefined in C (plan/storage/padding.h).
 * Buffers of constant shape grow to hold what they touch. From here on the instances are instances like all others.
 */
#ifndef PLAN_STORAGE_ROUND_UP_H
#define PLAN_STORAGE_ROUND_UP_H

#include "sched/schedule.h"

/* Is the rest of a loop to be rounded up? */
bool round_up_asked(const struct order *order);
/* The schedule, whose order is the original one by now, goes on with the rounded program and order. Refused when what
 * is superfluous could be seen. */
enum status round_up_tails(struct schedule *schedule);

#endif
