/* Loops that count their iterations. The times of a loop may lie on a grid: `S[i] -> [2i]`, or `i` where the nest runs
 * at `i % 4 == 1` only. What launches its iterations, or moves something to the next one, needs counts without gaps:
 *
 *     i = 1, 5, 9, ..      stride 1              becomes      i = 4 * (0, 1, 2, ..) + 1      stride 4, offset 1
 *
 * The values of the loop stay what they are.
 */
#ifndef PLAN_DENSE_H
#define PLAN_DENSE_H

#include "sched/edit.h"

/* Gives the loop of ref, in all its copies, such counts, and ref what it then is. False after refusing: its step would
 * fit no int. */
bool dense_loop(struct schedule *schedule, struct loop_ref *ref);
/* The same for all loops around the one with this identity; place is told where one is refused. */
bool dense_around(struct schedule *schedule, int id, struct place place);

#endif
