/* Sums in threads: the reduction clauses of OpenMP. */
#ifndef PLAN_CHECK_CLAUSE_H
#define PLAN_CHECK_CLAUSE_H

#include "dep/parallel.h"
#include "sched/schedule.h"

/* Why the statement, an update in any order, can have no reduction clause; NULL: it can. */
const char *statement_lacks_clause(const struct statement *statement);
bool statement_has_clause(const struct statement *statement);
/* Reports, at the step that wants the loop of band in threads, that it carries the reduction, which can have none. */
void clause_refuse(const struct schedule *schedule, const struct dependences *dependences, const struct loop_info *info,
                   __isl_keep isl_schedule_node *band, const struct dependence *reduction);

#endif
