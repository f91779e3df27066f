/* The kinds of step tensorize. */
#ifndef PLAN_STEPS_TENSORIZE_H
#define PLAN_STEPS_TENSORIZE_H

#include "sched/schedule.h"

/* [lanes, products]: each lane sums up products of neighbours in memory, in one instruction of the target. */
enum status tensorize_dot(struct schedule *schedule, const struct step *step);
/* [rows, columns, sum] on a GPU, [rows, columns, groups, products of a group] on a CPU: a tile of a matrix product,
 * by a matrix instruction. */
enum status tensorize_tile(struct schedule *schedule, const struct step *step);

#endif
