#include "lower/vector/reuse/same_masks.h"

#include "lower/vector/reuse/masks.h"
#include "program/program.h"
#include "tree/visit.h"

#include <string.h>

/* Whether a node keeps the nodes after it from using a mask. */
struct looking {
    const struct node *let; /* the mask */
    bool writes;            /* the node writes what the mask is computed from */
    bool hides;             /* it binds the mask's name to something else */
};

static bool reads_active(const struct node *let, const struct node *assign)
{
    const struct tree_expr *active = let->vector->active;

    return active && (tree_expr_reads(active, assign->target.array) ||
                      (assign->vector && assign->vector->sum && tree_expr_uses(active, assign->vector->sum)));
}

static void look_at(const struct node *node, void *user)
{
    struct looking *looking = user;
    const struct var *sum = node->vector ? node->vector->sum : NULL;

    if (node->kind == NODE_ASSIGN)
        looking->writes |= tree_expr_reads(looking->let->value, node->target.array) ||
                           (sum && tree_expr_uses(looking->let->value, sum)) || reads_active(looking->let, node);
    looking->writes |= node->kind == NODE_BARRIER || node->threads;
    looking->hides |= node->var && strcmp(node->var->name, looking->let->var->name) == 0;
    for (int k = 0; k < node->n_part; k++)
        looking->hides |= strcmp(node->part[k].var->name, looking->let->var->name) == 0;
}

static struct looking looked(const struct node *let, const struct node *node)
{
    struct looking looking = {let, false, false};

    node_for_each(node, look_at, &looking);
    return looking;
}

static bool same_active(const struct vector *a, const struct vector *b)
{
    return masks_same_lanes(a, b) && a->mask == b->mask &&
           (a->active == b->active || (a->active && b->active && tree_expr_equal(a->active, b->active)));
}

static bool is_mask(const struct node *node)
{
    return node->kind == NODE_LET && node->vector && node->vector->truth != TYPE_NONE && !node->comment;
}

static bool is_same(const struct node *a, const struct node *b)
{
    return is_mask(b) && a->vector->truth == b->vector->truth && a->value->type == b->value->type &&
           same_active(a->vector, b->vector) && tree_expr_equal(a->value, b->value);
}

/* Of a name: what stands in its place. */
struct renaming {
    struct arena *arena;
    const struct var *from, *to;
};

static const struct tree_expr *renamed_expr(const struct renaming *renaming, const struct tree_expr *expr);

static const struct tree_expr *const *renamed_exprs(const struct renaming *renaming,
                                                    const struct tree_expr *const *expr, int n)
{
    const struct tree_expr **copy = ARENA_ARRAY(renaming->arena, n + 1, const struct tree_expr *);

    for (int k = 0; k < n; k++)
        copy[k] = expr[k] ? renamed_expr(renaming, expr[k]) : NULL;
    return copy;
}

static struct element renamed_element(const struct renaming *renaming, struct element element)
{
    if (element.array && element.indirect)
        element.indirect = renamed_exprs(renaming, element.indirect, element.array->n_dim);
    if (element.distance)
        element.distance = renamed_expr(renaming, element.distance);
    return element;
}

static const struct tree_expr *renamed_expr(const struct renaming *renaming, const struct tree_expr *expr)
{
    struct tree_expr *copy = ARENA_NEW(renaming->arena, struct tree_expr);

    *copy = *expr;
    copy->var = expr->var == renaming->from ? renaming->to : expr->var;
    copy->element = renamed_element(renaming, expr->element);
    copy->arg = renamed_exprs(renaming, expr->arg, expr->n_arg);
    return copy;
}

static const struct vector *renamed_vector(const struct renaming *renaming, const struct vector *vector)
{
    struct vector *copy = ARENA_NEW(renaming->arena, struct vector);

    *copy = *vector;
    copy->mask = vector->mask == renaming->from ? renaming->to : vector->mask;
    if (vector->active)
        copy->active = renamed_expr(renaming, vector->active);
    return copy;
}

static const struct node *renamed(const struct renaming *renaming, const struct node *node)
{
    const struct node **child = ARENA_ARRAY(renaming->arena, node->n_child + 1, const struct node *);
    struct node *copy = ARENA_NEW(renaming->arena, struct node);

    for (int k = 0; k < node->n_child; k++)
        child[k] = renamed(renaming, node->child[k]);
    *copy = *node;
    copy->child = child;
    copy->target = renamed_element(renaming, node->target);
    if (node->value)
        copy->value = renamed_expr(renaming, node->value);
    if (node->guard_value)
        copy->guard_value = renamed_expr(renaming, node->guard_value);
    if (node->vector)
        copy->vector = renamed_vector(renaming, node->vector);
    return copy;
}

/* How many of the n nodes from the mask on it may enclose, the last of which makes the same one. 1: none does. */
static int reach(const struct node *const *node, int n)
{
    int last = 0;

    for (int k = 1; k < n && !looked(node[0], k == 1 ? node[0]->child[0] : node[k - 1]).writes; k++) {
        if (looked(node[0], node[k]).hides)
            break;
        if (is_same(node[0], node[k]))
            last = k;
    }
    return last + 1;
}

static const struct node *joined_block(struct arena *arena, const struct node *block);

/* The first one, a mask, around all n nodes, those that make the same one without theirs. */
static const struct node *around(struct arena *arena, const struct node *const *node, int n)
{
    const struct node **inside = ARENA_ARRAY(arena, n, const struct node *);

    inside[0] = node[0]->child[0];
    for (int k = 1; k < n; k++)
        inside[k] = is_same(node[0], node[k])
                        ? renamed(&(struct renaming){arena, node[k]->var, node[0]->var}, node[k]->child[0])
                        : node[k];
    return node_with_body(arena, node[0], joined_block(arena, node_block(arena, inside, n)));
}

/* The block, its masks joined. */
static const struct node *joined_block(struct arena *arena, const struct node *block)
{
    const struct node **child = ARENA_ARRAY(arena, block->n_child, const struct node *);
    struct node *copy = ARENA_NEW(arena, struct node);
    int n = 0;

    for (int k = 0; k < block->n_child; n++) {
        const int length = is_mask(block->child[k]) ? reach(block->child + k, block->n_child - k) : 1;
        child[n] = length > 1 ? around(arena, block->child + k, length) : block->child[k];
        k += length;
    }
    *copy = *block;
    copy->child = child;
    copy->n_child = n;
    return copy;
}

const struct node *same_masks_joined(struct arena *arena, const struct node *tree)
{
    const struct node **child = ARENA_ARRAY(arena, tree->n_child + 1, const struct node *);

    for (int k = 0; k < tree->n_child; k++)
        child[k] = same_masks_joined(arena, tree->child[k]);
    if (tree->n_child)
        tree = node_with_children(arena, tree, child);
    return tree->kind == NODE_BLOCK ? joined_block(arena, tree) : tree;
}
