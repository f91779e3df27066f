#include "lower/pending.h"

#include "tree/visit.h"

/* The conditions of all of pending that have no alternatives, outermost first. */
static void add_single(struct arena *arena, const struct pending *pending, struct guard *all)
{
    struct condition *longer;

    if (!pending)
        return;
    add_single(arena, pending->outer, all);
    if (pending->n != 1)
        return;
    longer = ARENA_ARRAY(arena, all->n + pending->alternative->n + 1, struct condition);
    for (int k = 0; k < all->n; k++)
        longer[k] = all->condition[k];
    for (int k = 0; k < pending->alternative->n; k++)
        longer[all->n + k] = pending->alternative->condition[k];
    *all = (struct guard){longer, all->n + pending->alternative->n};
}

static bool is_single_if(const struct node *node)
{
    return node->kind == NODE_IF && node->n_child == 1 && node->n_alternative == 1;
}

const struct node *pending_around(struct arena *arena, const struct pending *pending, const struct node *node)
{
    struct guard *all = ARENA_NEW(arena, struct guard);

    for (const struct pending *p = pending; p && node; p = p->outer)
        if (p->n > 1)
            node = node_if(arena, p->alternative, p->n, node);
    add_single(arena, pending, all);
    if (all->n > 0 && node && is_single_if(node) && !node->comment) {
        const struct pending inner = {node->alternative, 1, &(struct pending){all, 1, NULL}};
        struct guard *both = ARENA_NEW(arena, struct guard);
        add_single(arena, &inner, both);
        return node_if(arena, both, 1, node->child[0]);
    }
    return all->n > 0 ? node_if(arena, all, 1, node) : node;
}

struct pending pending_with(struct arena *arena, const struct affine *affine, bool equal, const struct pending *outer)
{
    struct condition *condition = ARENA_NEW(arena, struct condition);
    struct guard *guard = ARENA_NEW(arena, struct guard);

    *condition = (struct condition){affine, equal};
    *guard = (struct guard){condition, 1};
    return (struct pending){guard, 1, outer};
}

const struct node *pending_merged(struct arena *arena, const struct node *tree)
{
    const struct node **child = ARENA_ARRAY(arena, tree->n_child + 1, const struct node *), *merged;

    for (int k = 0; k < tree->n_child; k++)
        child[k] = pending_merged(arena, tree->child[k]);
    tree = node_with_children(arena, tree, child);
    if (!is_single_if(tree) || !is_single_if(tree->child[0]) || tree->child[0]->comment)
        return tree;
    merged = pending_around(arena, &(struct pending){tree->alternative, 1, NULL}, tree->child[0]);
    return node_with_comment(arena, merged, tree->comment);
}
