/* Copies to and from shared buffers by all threads of a block. */
#ifndef PLAN_COOPERATE_H
#define PLAN_COOPERATE_H

#include "sched/schedule.h"

/* The loops of copies that no step has bound are divided among the threads that the other loops of the kernel have:
 * dimension by dimension where the buffer's extents are those of the block, else by counting all elements. */
enum status cooperate_copies(struct schedule *schedule);

#endif
