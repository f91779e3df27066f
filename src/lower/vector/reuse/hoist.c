#include "lower/vector/reuse/hoist.h"

#include "tree/visit.h"

/* One conjunction, all there is of its branch, without a line above it. */
static bool is_plain(const struct node *node)
{
    return node->kind == NODE_IF && node->n_child == 1 && node->n_alternative == 1 && !node->comment;
}

static bool depends(const struct node *condition, const struct var *var)
{
    for (int k = 0; k < condition->alternative[0].n; k++)
        if (affine_uses(condition->alternative[0].condition[k].affine, var))
            return true;
    return false;
}

/* A loop that shares neither its variable nor its iterations with others. */
static bool is_alone(const struct node *node, const struct node *next)
{
    return node->kind == NODE_LOOP && !node->continues && !node->comment && !lower_is_inner(node) &&
           !(next && next->continues);
}

/* The condition around the loop whose body it is. */
static const struct node *around(struct arena *arena, const struct node *loop)
{
    const struct node *condition = loop->child[0];

    return node_with_body(arena, condition, node_with_body(arena, loop, condition->child[0]));
}

/* Both conditions as one. */
static const struct node *joined(struct arena *arena, const struct node *outer, const struct node *inner)
{
    const struct guard *a = &outer->alternative[0], *b = &inner->alternative[0];
    struct condition *condition = ARENA_ARRAY(arena, a->n + b->n, struct condition);
    struct guard *guard = ARENA_NEW(arena, struct guard);
    struct node *copy = ARENA_NEW(arena, struct node);

    for (int k = 0; k < a->n + b->n; k++)
        condition[k] = k < a->n ? a->condition[k] : b->condition[k - a->n];
    *guard = (struct guard){condition, a->n + b->n};
    *copy = *outer;
    copy->alternative = guard;
    copy->child = inner->child;
    return copy;
}

/* next: what stands behind node in its block, or NULL. */
static const struct node *hoist(struct arena *arena, const struct node *node, const struct node *next)
{
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);

    for (int k = 0; k < node->n_child; k++)
        child[k] =
            hoist(arena, node->child[k], node->kind == NODE_BLOCK && k + 1 < node->n_child ? node->child[k + 1] : NULL);
    node = node->n_child ? node_with_children(arena, node, child) : node;
    if (is_alone(node, next) && is_plain(node->child[0]) && !depends(node->child[0], node->var))
        return around(arena, node);
    return is_plain(node) && is_plain(node->child[0]) ? joined(arena, node, node->child[0]) : node;
}

const struct node *lower_hoist(struct arena *arena, const struct node *tree)
{
    return hoist(arena, tree, NULL);
}
