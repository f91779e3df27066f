/* The description on terms: its nests in the order they are written, straight from the expressions that were read. */
#ifndef LOWER_FLOW_FLOW_DESCRIBED_H
#define LOWER_FLOW_FLOW_DESCRIBED_H

#include "lower/flow/flow_run.h"
#include "tree/tree.h"

/* Runs all nests of flow's program. */
void flow_run_described(struct flow *flow);
/* Numbers for the arrays that are subscripts, or bounds of loops in tree, chosen within what their elements are said to
 * meet; ends the run where there are not enough. */
void flow_choose_subscripts(struct flow *flow, const struct node *tree);

#endif
