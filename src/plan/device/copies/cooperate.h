/* Copies to and from shared buffers by all threads of a block. */
#ifndef PLAN_DEVICE_COPIES_COOPERATE_H
#define PLAN_DEVICE_COPIES_COOPERATE_H

#include "program/axis.h"
#include "sched/schedule.h"

/* The loops of copies to and from shared buffers, of a cache or of a nest that a step has made, are divided among the
 * threads that the other loops of the kernel have, unless a step has bound them: dimension by dimension where the
 * buffer's extents are those of the block, else by counting all elements. */
enum status cooperate_copies(struct schedule *schedule);
/* The same for an order of the schedule's statements and zeros in front of them; NULL after reporting. */
const struct order *cooperate_in(struct schedule *schedule, const struct order *order);
/* How many iterations of a copy each of so many threads has, or less. */
int64_t cooperate_rounds(int64_t iterations, int64_t threads);
/* A copy of a copy loop's info, bound to axis for so many iterations; weight: see struct loop_plan. */
struct loop_info *cooperate_info(struct schedule *schedule, const struct loop_info *like, enum axis axis, int64_t size,
                                 int64_t weight);

#endif
