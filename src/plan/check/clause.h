/* Sums in threads: a reduction clause of OpenMP, of which each thread has a copy, or updates that no other thread
 * interrupts.
 */
#ifndef PLAN_CHECK_CLAUSE_H
#define PLAN_CHECK_CLAUSE_H

#include "dep/parallel.h"
#include "sched/schedule.h"

/* Why threads can have no copies of what the statement, an update in any order, sums up in; NULL: they can. */
const char *statement_lacks_clause(const struct statement *statement);
/* Do threads have copies for its updates, of a variable, or of an array in the loop that it joins? */
bool statement_has_clause(const struct statement *statement);
/* Decides how threads of the loop make the updates of the reduction, which it carries, and marks the statements: a
 * small array that the loop uses for nothing else has copies, elements that data choose have atomic updates. The
 * reason why there is neither; NULL: there is. */
const char *clause_join(const struct schedule *schedule, const struct loop_info *info,
                        const struct dependence *reduction);
/* Statements of the program are no longer marked. */
void clause_forget(const struct program *program);
/* Reports, at the step that wants the loop of band in threads, that it carries the reduction, which can have none. */
void clause_refuse(const struct schedule *schedule, const struct dependences *dependences, const struct loop_info *info,
                   __isl_keep isl_schedule_node *band, const struct dependence *reduction, const char *lack);

#endif
