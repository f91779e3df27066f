/* Listings of a schedule for people: pseudo-code, the tree or the maps after its steps. */
#ifndef REPORT_SHOW_H
#define REPORT_SHOW_H

#include "report/slice.h"
#include "sched/schedule.h"

/* SHOW_CHANGES: the loops, with what each step took away. */
enum show_form { SHOW_LOOPS, SHOW_TREE, SHOW_MAP, SHOW_OUTLINE, SHOW_CHANGES };

struct showing {
    enum show_form form;
    bool every_step;
    const struct slice *slice; /* only what runs in it; NULL: all */
};

/* The order after the steps that were applied, or (every_step) also the description's own and the one after each
 * step, with "+ " in front of the lines of loops that are new; orders that break a dependence are marked. With
 * constant sizes each statement's iteration space has a line, `S: (i 3, j 5), 4 empty`. */
enum status report_show(const struct schedule *schedule, const struct showing *showing, struct text *out);
/* The same for the plan, which has been applied since: after its last step, or (every_step) after each. */
enum status report_show_plan(const struct schedule *schedule, const struct showing *showing, struct text *out);

#endif
