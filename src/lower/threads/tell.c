/* Warnings of steps that say how a loop is to run and change nothing: it has one iteration, or runs in one thread. */
#include "lower/lower.h"

#include "base/vec.h"
#include "plan/loop_plan.h"

struct telling {
    struct lowering *lowering;
    const struct node *tree;
    VEC(const struct step *) told;
};

/* How a loop is to run. */
struct way {
    bool (*is_asked)(const struct loop_plan *plan);
    bool (*runs)(const struct node *node); /* does a loop of the tree? */
    const struct step *(*step)(const struct loop_plan *plan);
    const char *nothing, *hint;
};

static bool asks_threads(const struct loop_plan *plan)
{
    return plan->parallel > 0;
}

static bool runs_in_threads(const struct node *node)
{
    return node->threads || node->joined;
}

static const struct step *threads_step(const struct loop_plan *plan)
{
    return plan->parallel_step;
}

static bool asks_lanes(const struct loop_plan *plan)
{
    return plan->vector && plan->vector_step;
}

static bool is_loop(const struct node *node)
{
    return node->kind == NODE_LOOP || node->kind == NODE_TUPLE;
}

static const struct step *lanes_step(const struct loop_plan *plan)
{
    return plan->vector_step;
}

static bool asks_pragma(const struct loop_plan *plan)
{
    return plan->unroll == UNROLL_HINT && plan->unroll_step;
}

static const struct step *pragma_step(const struct loop_plan *plan)
{
    return plan->unroll_step;
}

static const struct way ways[] = {
    {asks_threads, runs_in_threads, threads_step, "nothing of it runs in threads", "parallelize another loop"},
    {asks_lanes, is_loop, lanes_step, "nothing of it runs in lanes", "vectorize another loop"},
    {asks_pragma, is_loop, pragma_step, "there is nothing to unroll", "unroll another loop"},
};

static bool runs(const struct node *node, const struct way *way, const struct step *step)
{
    bool found = node->info && node->info->plan && way->runs(node) && way->step(node->info->plan) == step;

    for (int k = 0; k < node->n_child && !found; k++)
        found = runs(node->child[k], way, step);
    return found;
}

/* Is nothing said about the step yet? */
static bool is_new(struct telling *telling, const struct step *step)
{
    for (int k = 0; k < telling->told.n; k++)
        if (telling->told.at[k] == step)
            return false;
    VEC_PUSH(telling->lowering->arena, &telling->told, step);
    return true;
}

static void tell(struct telling *telling, const struct loop_info *info, const struct way *way)
{
    const struct step *step = way->step(info->plan);
    struct diag *diag;

    if (!is_new(telling, step) || runs(telling->tree, way, step))
        return;
    diag = diag_warning(telling->lowering->diags, step->primitive->name, step->place,
                        "`%s` has no more than one iteration: %s", info->name, way->nothing);
    diag_hint(telling->lowering->diags, diag, "%s", way->hint);
}

static void tell_loops(struct telling *telling, const struct order *order, const struct way *way)
{
    if (order->kind == ORDER_LOOP && order->info->plan && way->is_asked(order->info->plan))
        tell(telling, order->info, way);
    for (int k = 0; k < order->n_child; k++)
        tell_loops(telling, order->child[k], way);
}

/* Loops in threads that are inside of another one. */
static void tell_nested(struct telling *telling, const struct node *node, const struct node *outer)
{
    struct diag *diag;

    if (node->threads && outer && !node->threads->alone && is_new(telling, node->info->plan->parallel_step)) {
        diag = diag_warning(telling->lowering->diags, "parallelize", node->info->plan->parallel_step->place,
                            "`%s` is inside of `%s`, which runs in threads: each of them goes through `%s` alone",
                            node->info->name, outer->info->name, node->info->name);
        diag_hint(telling->lowering->diags, diag,
                  "`collapse` makes one loop of loops directly inside each other; \"alone\": true asks for threads "
                  "inside of threads, if the run-time has them");
    }
    for (int k = 0; k < node->n_child; k++)
        tell_nested(telling, node->child[k], node->threads ? node : outer);
}

void lower_tell(struct lowering *lowering, const struct order *order, const struct node *tree)
{
    struct telling nested = {.lowering = lowering};

    for (size_t k = 0; k < sizeof(ways) / sizeof(ways[0]); k++) {
        struct telling telling = {.lowering = lowering, .tree = tree};
        tell_loops(&telling, order, &ways[k]);
    }
    tell_nested(&nested, tree, NULL);
}
