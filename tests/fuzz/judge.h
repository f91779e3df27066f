/* The second opinion on legality: every pair of instances, one by one, at concrete sizes. */
#ifndef FUZZ_JUDGE_H
#define FUZZ_JUDGE_H

#include "base/text.h"
#include "interpret.h"
#include "sched/schedule.h"

enum verdict {
    VERDICT_LEGAL,     /* the check finds no swapped pair, and there is none at the sizes tried */
    VERDICT_ILLEGAL,   /* the check's counterexample is a pair that conflicts and is swapped */
    VERDICT_STRUCTURE, /* a step is refused before the order is asked */
    VERDICT_UNDECIDED, /* the budget ran out */
    VERDICT_WRONG,     /* the check and the enumeration disagree; reason says how */
};

/* Applies the program's schedule and compares dep/legal.h with enumeration. */
enum verdict judge(struct arena *arena, const struct program *program, struct diags *diags,
                   struct text *reason);
/* The same; *schedule has the schedule applied. */
enum verdict judge_applied(struct arena *arena, const struct program *program, struct diags *diags,
                           struct schedule **schedule, struct text *reason);

#endif
