/* Pass "unroll": loops that a step wants written out become a sequence; others are marked for the compiler. */
#include "lower/lower.h"

#include "plan/loop_plan.h"
#include "tree/visit.h"

enum { MOST_COPIES = 256 };

/* The number of iterations, or -1 when it is not a constant. */
static int64_t iterations(const struct node *loop)
{
    int64_t first, last;

    if (!affine_is_constant(loop->lower, &first) || !affine_is_constant(loop->upper, &last))
        return -1;
    return loop->step > 0 ? (last - first) / loop->step + 1 : (first - last) / -loop->step + 1;
}

static const struct node *spelled_out(struct lowering *lowering, const struct node *loop, int64_t n)
{
    struct arena *arena = lowering->arena;
    const struct node **child = ARENA_ARRAY(arena, n, const struct node *);

    for (int64_t k = 0; k < n; k++) {
        const struct affine *value = affine_add_constant(arena, loop->lower, k * loop->step);
        child[k] = node_substitute(arena, loop->child[0], loop->var, value);
        child[k] = child[k] ? lower_unroll(lowering, child[k]) : NULL;
    }
    return node_block(arena, child, (int)n);
}

static const struct node *refuse(struct lowering *lowering, const struct node *loop, const char *hint,
                                 const char *what)
{
    struct diag *diag = diag_error(lowering->diags, "unroll", loop->info->plan->unroll_step->place, "`%s` %s",
                                   loop->info->name, what);

    diag_hint(lowering->diags, diag, "%s", hint);
    lowering->refused = true;
    return NULL;
}

/* loop, which the compiler is to unroll. */
static const struct node *marked(struct lowering *lowering, const struct node *loop, int64_t n)
{
    struct node *copy = ARENA_NEW(lowering->arena, struct node);

    *copy = *loop;
    copy->unroll = n;
    return copy;
}

/* loop, whose body is done, as its plan wants it. */
static const struct node *as_planned(struct lowering *lowering, const struct node *loop)
{
    const struct loop_plan *plan = loop->info->plan;
    const int64_t n = iterations(loop);

    if (plan->unroll == UNROLL_HINT && !plan->hint && n < 0)
        return refuse(lowering, loop, "say how many iterations, by `by`", "has no constant number of iterations");
    if (plan->unroll == UNROLL_HINT)
        return marked(lowering, loop, plan->hint ? plan->hint : n);
    if (plan->unroll == UNROLL_LITERAL && n > 1)
        return marked(lowering, loop, n);
    if (plan->unroll == UNROLL_FULL && n > MOST_COPIES)
        return refuse(lowering, loop, "unroll some iterations at a time, by `by`", "has more iterations than 256");
    return plan->unroll == UNROLL_FULL && n >= 0 ? spelled_out(lowering, loop, n) : loop;
}

const struct node *lower_unroll(struct lowering *lowering, const struct node *tree)
{
    const struct node **child;

    if (tree->kind == NODE_LOOP && tree->info->unroll_below > 0) {
        const int64_t n = iterations(tree);
        if (n >= 0 && n < tree->info->unroll_below)
            return spelled_out(lowering, tree, n);
    }
    if (tree->n_child == 0)
        return tree;
    child = ARENA_ARRAY(lowering->arena, tree->n_child, const struct node *);
    for (int k = 0; k < tree->n_child; k++) {
        child[k] = lower_unroll(lowering, tree->child[k]);
        if (!child[k])
            return NULL;
    }
    tree = node_with_children(lowering->arena, tree, child);
    return tree && tree->kind == NODE_LOOP && tree->info->plan ? as_planned(lowering, tree) : tree;
}
