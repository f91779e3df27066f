/* The threads of a team on their way through the tree together, from wait to wait. */
#ifndef LOWER_FLOW_FLOW_TEAM_H
#define LOWER_FLOW_FLOW_TEAM_H

#include "lower/flow/flow_tree.h"

/* All threads of the team run node. */
void flow_team_run(struct team *team, struct tree_run *run, const struct node *node);
/* All threads of the team have come here: what they do next is behind what they did. */
void flow_team_wait(struct team *team, struct flow *flow);
/* Collects the nodes of tree that have a wait of several threads inside. */
void flow_team_find_waits(struct tree_run *run, const struct node *tree);

#endif
