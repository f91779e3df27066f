/* The proof for all sizes that the finished tree runs the instances of the tree that the cover proved, each once.
 *
 * Both trees are gone down together as long as they have the same loops, conditions and order of what they run; where
 * they differ, as a loop and its vectors do, the instances that are run from there on are compared as sets, with what
 * is around as parameters (prove/same_sets.h). So sets are small, and what no pass has touched needs none.
 */
#ifndef LOWER_FINISHED_SAME_RUNS_H
#define LOWER_FINISHED_SAME_RUNS_H

#include "lower/finished/same_sets.h"

/* Of a statement. */
struct same_result {
    bool open;            /* it is not proved */
    const char *why;      /* because of this; NULL: isl did not say */
    const int64_t *param; /* what it runs may differ at these parameters; NULL: at none that are known */
};

/* What is known of each statement of sets->program, by index. first_id: of new variables. */
const struct same_result *same_runs(struct same_sets *sets, int first_id, const struct node *proved,
                                    const struct node *finished);

#endif
