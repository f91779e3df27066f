/* What split shares with tile and with its own second form. */
#ifndef SCHED_STEPS_SPLIT_H
#define SCHED_STEPS_SPLIT_H

#include "sched/edit.h"

/* Splits ref's loop into tiles of `by` iterations, the inner part directly inside under `name`. */
enum status split_loop(struct schedule *schedule, const struct loop_ref *ref, const struct step *step, int64_t by,
                       const char *name);
/* CINN's form: parts that count from 0 by 1, address 16 * j_0 + j_1. */
enum status split_factors(struct schedule *schedule, const struct loop_ref *ref, const struct step *step);
/* Is the split one of a collapsed tuple that blocks and threads can run? */
bool split_is_of_tuple(const struct schedule *schedule, const struct loop_ref *ref, const struct step *step);
/* That split, the loop over a run of iterations under `name`. */
enum status split_tuple(struct schedule *schedule, const struct loop_ref *ref, const struct step *step,
                        const char *name);
/* What the step asks for as `tail`. */
enum tail split_tail(const struct step *step);
/* After the split: refuses unless the inner part with that identity always has `by` iterations. */
enum status split_prove_exact(struct schedule *schedule, const struct loop_ref *ref, const struct step *step, int inner,
                              int64_t by);
/* stride * origin + offset: the value of the first iteration. */
__isl_give isl_aff *split_offset(const struct loop_info *info, __isl_keep isl_aff *origin);

#endif
