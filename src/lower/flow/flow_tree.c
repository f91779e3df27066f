#include "lower/flow/flow_tree.h"

#include "lower/flow/flow_team.h"

void flow_run_tree(struct flow *flow, const struct vars *vars, const struct node *tree, bool backward)
{
    const int n_array = flow->program->n_array;
    struct tree_run run = {.flow = flow, .vars = vars, .backward = backward};
    struct thread *thread = ARENA_NEW(flow->arena, struct thread);

    thread->run = &run;
    thread->binding = ARENA_ARRAY(flow->arena, vars->all.n + 1, struct binding);
    thread->space = ARENA_ARRAY(flow->arena, n_array + 1, struct space *);
    thread->own = ARENA_ARRAY(flow->arena, n_array + 1, struct space *);
    for (int k = 0; k < n_array; k++)
        thread->space[k] = &flow->space[k];
    for (int k = 0; k < flow->program->n_param; k++)
        thread->binding[vars->param[k]->id].integer = flow->param[k];
    flow_team_find_waits(&run, tree);
    flow_node(thread, tree);
    flow_meet(thread);
}
