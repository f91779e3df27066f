/* Pass "unroll": pieces with fewer iterations than a step asks for become a sequence. */
#include "lower/lower.h"

#include "tree/visit.h"

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
    return node_with_children(lowering->arena, tree, child);
}
