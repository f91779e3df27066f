/* The proof for all sizes that what the finished tree loads and stores at each instance is what the statement says
 * (prove/run_subscripts.h says which elements are looked at): a subscript must be equal, as an expression of parameters
 * and counts, to the statement's own subscript with the instance in the place of its loops.
 */
#ifndef LOWER_FINISHED_SAME_ELEMENTS_H
#define LOWER_FINISHED_SAME_ELEMENTS_H

#include "lower/prove/run_subscripts.h"
#include "lower/finished/same_sets.h"

/* Of a statement. */
struct element_result {
    int n, shown;         /* elements in the tree's text, and those that are proved */
    const char *why;      /* the first other one is none because of this; NULL: of sets that are not decided */
    const int64_t *param; /* something may differ at these parameters; NULL: at none that are known */
};

/* By index of the statement. first_id: of new variables. */
const struct element_result *same_elements(struct same_sets *sets, struct subscripts *subscripts, int first_id,
                                           const struct node *finished);

#endif
