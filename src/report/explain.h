/* explain: what a schedule may do and why - verdicts, dependences, parallel loops, footprints. */
#ifndef REPORT_EXPLAIN_H
#define REPORT_EXPLAIN_H

#include "sched/schedule.h"

/* Explains the program and the order that the steps applied so far have made; only one loop when topic names one
 * (loop, nest.loop or label.loop), only one step when topic is its number. Also for illegal orders. What may be a
 * step, a buffer or a loop of the plan is left to report_explain_plan. */
enum status report_explain(const struct schedule *schedule, const char *topic, struct text *out);
/* The same for the whole program as JSON: whether the order is legal, else what it breaks; dependences; loops, each
 * with what is inside of it; arrays. Texts in it are those of the explanation. */
enum status report_explain_json(const struct schedule *schedule, struct text *out);
/* The same for what the plan, which has been applied since, adds; legal when its checks have passed. */
enum status report_explain_plan(const struct schedule *schedule, const char *topic, bool legal, struct text *out);
/* The same for the order that is lowered: its barriers. */
void report_explain_device(const struct schedule *schedule, const struct order *order, struct text *out);

#endif
