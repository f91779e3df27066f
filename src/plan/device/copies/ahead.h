/* Copies for the next iteration of a loop by way of registers:
 *
 *     for (t ..) { use(t); if (not last) AA[..] = A[t + 1, ..] }     becomes
 *     for (t ..) { if (not last) next[..] = A[t + 1, ..]; use(t); if (not last) AA[..] = next[..] }
 *
 * so that memory is read while the buffer is used.
 */
#ifndef PLAN_DEVICE_COPIES_AHEAD_H
#define PLAN_DEVICE_COPIES_AHEAD_H

#include "sched/schedule.h"

/* Is order the outermost of the loops that copy by way of registers? */
bool order_is_ahead(const struct order *order);
/* Refused: what such copies read is written in the iteration in front of which they are to read it. */
enum status ahead_check(struct schedule *schedule, const struct order *order);
/* Each such copy becomes two, and the elements between them an array of each thread's registers, with a subscript for
 * what a thread copies one after the other. Refused: more of it than a thread has registers. */
enum status ahead_split(struct schedule *schedule, const struct program **program, const struct order **order);

#endif
