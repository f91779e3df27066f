/* Tails that only a plan can keep. */
#ifndef PLAN_STORAGE_TAILS_H
#define PLAN_STORAGE_TAILS_H

#include "sched/schedule.h"

struct simd;

/* Refused: a rest that is to be masked, of a loop that does not run in vectors or for a target without masks. */
enum status tails_check(const struct schedule *schedule);

/* Can a part of the lanes of this type, of so many (0: a register's), be loaded and stored? */
bool tails_have_masks(const struct simd *simd, enum type type, int lanes);

#endif
