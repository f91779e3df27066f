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

static bool same_conditions(const struct guard *a, const struct guard *b)
{
    bool same = a->n == b->n;

    for (int k = 0; k < a->n && same; k++)
        same = condition_equal(&a->condition[k], &b->condition[k]);
    return same;
}

/* How many loops from child k of the block on share a variable and one condition, which none of them changes. */
static int alike(const struct node *block, int k)
{
    const struct node *first = block->child[k];
    int n = 0;

    if (first->kind != NODE_LOOP || first->continues || first->comment || !is_plain(first->child[0]))
        return 0;
    for (; k + n < block->n_child && (n == 0 || block->child[k + n]->continues); n++) {
        const struct node *loop = block->child[k + n];
        if (loop->kind != NODE_LOOP || lower_is_inner(loop) || !is_plain(loop->child[0]) ||
            depends(loop->child[0], loop->var) ||
            !same_conditions(&loop->child[0]->alternative[0], &first->child[0]->alternative[0]))
            return 0;
    }
    return n > 1 ? n : 0;
}

/* The condition around the n loops from child k of the block on. */
static const struct node *around_all(struct arena *arena, const struct node *block, int k, int n)
{
    const struct node **loop = ARENA_ARRAY(arena, n, const struct node *);

    for (int l = 0; l < n; l++)
        loop[l] = node_with_body(arena, block->child[k + l], block->child[k + l]->child[0]->child[0]);
    return node_with_body(arena, block->child[k]->child[0], node_block(arena, loop, n));
}

static const struct node *hoist_together(struct arena *arena, const struct node *block)
{
    const struct node **child = ARENA_ARRAY(arena, block->n_child + 1, const struct node *);
    int n = 0;

    for (int k = 0, length; k < block->n_child; k += length) {
        const int loops = alike(block, k);
        length = loops ? loops : 1;
        child[n++] = loops ? around_all(arena, block, k, loops) : block->child[k];
    }
    return n < block->n_child ? node_block_like(arena, block, child, n) : block;
}

/* next: what stands behind node in its block, or NULL. */
static const struct node *hoist(struct arena *arena, const struct node *node, const struct node *next)
{
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);

    for (int k = 0; k < node->n_child; k++)
        child[k] =
            hoist(arena, node->child[k], node->kind == NODE_BLOCK && k + 1 < node->n_child ? node->child[k + 1] : NULL);
    node = node->n_child ? node_with_children(arena, node, child) : node;
    if (node->kind == NODE_BLOCK)
        return hoist_together(arena, node);
    if (is_alone(node, next) && is_plain(node->child[0]) && !depends(node->child[0], node->var))
        return around(arena, node);
    return is_plain(node) && is_plain(node->child[0]) ? joined(arena, node, node->child[0]) : node;
}

const struct node *lower_hoist(struct arena *arena, const struct node *tree)
{
    return hoist(arena, tree, NULL);
}
