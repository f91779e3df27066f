#include "lower/facts/pending.h"

#include "tree/visit.h"

bool condition_join(struct arena *arena, struct condition *a, const struct condition *b)
{
    const struct affine *difference = affine_sub(arena, a->affine, b->affine);
    const struct affine *sum = affine_combine(arena, a->affine, 1, b->affine, 1);
    int64_t value;

    if (a->equal || b->equal)
        return false;
    if (difference && affine_is_constant(difference, &value)) {
        *a = value > 0 ? *b : *a;
        return true;
    }
    if (!sum || !affine_is_constant(sum, &value) || value != 0)
        return false;
    a->equal = true;
    return true;
}

static void add_condition(struct arena *arena, struct condition *list, int *n, const struct condition *condition)
{
    for (int k = 0; k < *n; k++)
        if (condition_join(arena, &list[k], condition))
            return;
    list[(*n)++] = *condition;
}

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
        add_condition(arena, longer, &all->n, &pending->alternative->condition[k]);
    all->condition = longer;
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

/* How many conditions both have in front. */
static int common(const struct guard *a, const struct guard *b, int most)
{
    int n = 0;

    while (n < most && n < a->n && n < b->n && condition_equal(&a->condition[n], &b->condition[n]))
        n++;
    return n;
}

/* The node less its first n conditions, under its comment. */
static const struct node *under(struct arena *arena, const struct node *node, int n)
{
    const struct guard *all = node->alternative;
    struct guard *rest = ARENA_NEW(arena, struct guard);

    *rest = (struct guard){all->condition + n, all->n - n};
    return node_with_comment(arena, node_if(arena, rest, 1, node->child[0]),
                             node->comment ? node->comment
                             : rest->n     ? NULL
                                           : node->child[0]->comment);
}

/* child[0..n), conditions that start with the same ones, of which one has no others; n is at least 2. */
static const struct node *under_one(struct arena *arena, const struct node *const *child, int n, int conditions)
{
    const struct node **part = ARENA_ARRAY(arena, n, const struct node *);
    struct guard *guard = ARENA_NEW(arena, struct guard);

    *guard = (struct guard){child[0]->alternative->condition, conditions};
    for (int k = 0; k < n; k++)
        part[k] = under(arena, child[k], conditions);
    return node_if(arena, guard, 1, node_block(arena, part, n));
}

/* From child[0] on, how many neighbours have conditions in common: *n of them. Is one of them under no others? */
static int run_of(const struct node *const *child, int n_child, int *n)
{
    int end = 1, shortest;

    if (!is_single_if(child[0]))
        return 1;
    *n = shortest = child[0]->alternative->n;
    for (int both; end < n_child && is_single_if(child[end]); end++) {
        both = common(child[0]->alternative, child[end]->alternative, *n);
        if (both == 0)
            break;
        *n = both;
        shortest = child[end]->alternative->n < shortest ? child[end]->alternative->n : shortest;
    }
    return shortest == *n ? end : 1;
}

/* The block with neighbours under the conditions that they share. */
static const struct node *grouped(struct arena *arena, const struct node *block)
{
    const struct node **child = ARENA_ARRAY(arena, block->n_child, const struct node *);
    int n = 0, conditions;

    for (int k = 0, length; k < block->n_child; k += length) {
        length = run_of(&block->child[k], block->n_child - k, &conditions);
        child[n++] = length > 1 ? under_one(arena, &block->child[k], length, conditions) : block->child[k];
    }
    return n < block->n_child ? node_with_comment(arena, node_block(arena, child, n), block->comment) : block;
}

const struct node *pending_merged(struct arena *arena, const struct node *tree)
{
    const struct node **child = ARENA_ARRAY(arena, tree->n_child + 1, const struct node *), *merged;

    for (int k = 0; k < tree->n_child; k++)
        child[k] = pending_merged(arena, tree->child[k]);
    tree = node_with_children(arena, tree, child);
    if (tree && tree->kind == NODE_BLOCK && tree->n_own == 0)
        tree = grouped(arena, tree);
    if (!tree || !is_single_if(tree) || !is_single_if(tree->child[0]) || tree->child[0]->comment)
        return tree;
    merged = pending_around(arena, &(struct pending){tree->alternative, 1, NULL}, tree->child[0]);
    return node_with_comment(arena, merged, tree->comment);
}
