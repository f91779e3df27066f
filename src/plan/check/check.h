/* What the plan asks of loops, proved against the dependences of the final program and order. */
#ifndef PLAN_CHECK_CHECK_H
#define PLAN_CHECK_CHECK_H

#include "sched/schedule.h"

/* Temporaries that are all that keeps a loop from running as a step asks, and that each iteration could have for
 * itself. */
struct missing {
    const struct array *const *array;
    int n;
    const struct loop_info *loop;
    const struct step *step;
};

typedef VEC(struct missing) missing_vec;

/* Vectorised loops: all lanes of a statement read, then all lanes write, statement after statement, which must keep
 * every dependence. Parallel loops: they carry nothing. Refused with the two iterations that conflict.
 * missing: what would help the loops that are refused, each of them; or NULL. */
enum status plan_check(const struct schedule *schedule, missing_vec *missing);

/* What the loops break that step, which is `unsafe`, made parallel, vectorised or bound is waived from now on. */
enum status plan_waive(struct schedule *schedule, const struct step *step);

/* Does order, in which a loop went inside of those below, break a dependence? An `unsafe` step may break what it
 * likes. */
bool plan_jam_breaks(const struct schedule *schedule, const struct step *step, const struct order *order,
                     struct violation *violation);
/* Reports it at the step, which wants that of loop info. */
void plan_report_jam(const struct schedule *schedule, const struct loop_info *info, const struct step *step,
                     const struct violation *violation);

#endif
