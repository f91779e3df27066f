/* What the plan makes of a loop, in a word each. */
#ifndef REPORT_LISTING_LOOP_MARKS_H
#define REPORT_LISTING_LOOP_MARKS_H

#include "base/text.h"
#include "sched/order.h"

/* Adds "parallel", "vector 16", "thread.x", "unrolled", with ", " between them: how many there are. */
int loop_marks(const struct loop_info *info, struct text *out);

#endif
