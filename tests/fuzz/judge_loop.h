/* The second opinion on one loop in threads or in vectors: every pair of instances, at concrete sizes. */
#ifndef FUZZ_JUDGE_LOOP_H
#define FUZZ_JUDGE_LOOP_H

#include "judge.h"

/* May the one step of the program's plan, `parallelize` or `vectorize` of a loop, be carried out? LEGAL: no pair at the
 * sizes tried forbids it; ILLEGAL: one does; STRUCTURE: the order itself is refused, or has no such loop. said holds
 * the diagnostics, whose sizes are tried, too; own: temporaries that each iteration could have for itself, as every
 * value that is read was written in it, are not in the way; *sums: updates of one reduction are. */
enum verdict judge_loop(struct arena *arena, const struct program *program, struct diags *diags, const char *said,
                        bool own, bool *sums);

#endif
