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

/* Is it an assignment under a condition on the lanes, which has no name? */
static bool is_guarded(const struct node *node)
{
    return node->kind == NODE_ASSIGN && node->vector && node->guard_value && node->guard_value->kind != TREE_NAMED &&
           node->guard_value->type != TYPE_BOOL && !tree_expr_uniform(node->guard_value);
}

/* Does it write what its own condition reads? */
static bool writes_condition(const struct node *assign)
{
    return tree_expr_reads(assign->guard_value, assign->target.array) ||
           (assign->vector->sum && tree_expr_uses(assign->guard_value, assign->vector->sum));
}

/* Is b a mask equal to a, or an assignment under an equal condition? */
static bool is_same(const struct node *a, const struct node *b)
{
    const struct tree_expr *value = is_mask(b) ? b->value : is_guarded(b) ? b->guard_value : NULL;

    return value && (is_guarded(b) || a->vector->truth == b->vector->truth) && a->value->type == value->type &&
           same_active(a->vector, b->vector) && tree_expr_equal(a->value, value);
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

static const struct node *joined_block(struct lowering *lowering, const struct node *block);

/* The assignment in the lanes of the mask. */
static const struct node *masked(struct arena *arena, const struct node *assign, const struct node *mask)
{
    struct tree_expr *name = tree_expr_new(arena, TREE_NAMED, mask->vector->truth);
    struct node *copy = ARENA_NEW(arena, struct node);

    name->var = mask->var;
    *copy = *assign;
    copy->guard_value = name;
    return copy;
}

/* The node with the mask in place of its own mask, or of its condition. */
static const struct node *with_mask(struct arena *arena, const struct node *mask, const struct node *node)
{
    return is_mask(node) ? renamed(&(struct renaming){arena, node->var, mask->var}, node->child[0])
                         : masked(arena, node, mask);
}

/* The mask around all n nodes; those that have the same one, or its condition, use it. */
static const struct node *around(struct lowering *lowering, const struct node *mask, const struct node *const *node,
                                 int n)
{
    const struct node **inside = ARENA_ARRAY(lowering->arena, n, const struct node *);

    for (int k = 0; k < n; k++)
        inside[k] = is_same(mask, node[k]) ? with_mask(lowering->arena, mask, node[k]) : node[k];
    return node_with_body(lowering->arena, mask, joined_block(lowering, node_block(lowering->arena, inside, n)));
}

/* The number of the n nodes that the mask, of the first one, may enclose, up to the last one with the same mask or
 * condition. */
static int reach(const struct node *mask, const struct node *const *node, int n)
{
    int last = 0;

    for (int k = 1; k < n && !looked(mask, k == 1 ? mask->child[0] : node[k - 1]).writes; k++) {
        const bool same = is_same(mask, node[k]);
        if (looked(mask, same && is_mask(node[k]) ? node[k]->child[0] : node[k]).hides)
            break;
        last = same ? k : last;
    }
    return last + 1;
}

/* A name for the condition of the assignment, around it alone. */
static const struct node *condition_named(struct lowering *lowering, const struct node *assign, const struct var *name)
{
    struct arena *arena = lowering->arena;
    struct vector *vector = ARENA_NEW(arena, struct vector);
    struct node *let = ARENA_NEW(arena, struct node);

    *vector = (struct vector){.lanes = assign->vector->lanes,
                              .count = assign->vector->count,
                              .mask = assign->vector->mask,
                              .mask_type = assign->vector->mask_type,
                              .mask_place = assign->vector->mask_place,
                              .active = assign->vector->active,
                              .truth = assign->guard_value->type};
    *let = (struct node){.kind = NODE_LET,
                         .op = OP_NONE,
                         .child = ARENA_ARRAY(arena, 1, const struct node *),
                         .n_child = 1,
                         .var = name,
                         .value = assign->guard_value,
                         .vector = vector};
    return node_with_body(arena, let, masked(arena, assign, let));
}

static bool has_condition(const struct node *node, const struct tree_expr *condition)
{
    return (is_guarded(node) && tree_expr_equal(node->guard_value, condition)) ||
           (is_mask(node) && tree_expr_equal(node->value, condition));
}

/* A mask for the condition of the first of n nodes, if others have the same one; it takes the name of a mask among
 * those. *length: the number of nodes that it may enclose. NULL: no other node has the condition. */
static const struct node *shared_condition(struct lowering *lowering, const struct node *const *node, int n,
                                           int *length)
{
    const struct node *mask;
    bool again = false;
    int named = 0;

    for (int k = n - 1; k > 0; k--) {
        again |= has_condition(node[k], node[0]->guard_value);
        named = is_mask(node[k]) && has_condition(node[k], node[0]->guard_value) ? k : named;
    }
    if (!again)
        return NULL;
    if (named > 0) {
        mask = condition_named(lowering, node[0], node[named]->var);
        *length = reach(mask, node, n);
        if (*length > named)
            return mask;
    }
    mask =
        condition_named(lowering, node[0], lower_new_var(lowering, VAR_VALUE, names_unique(&lowering->taken, "mask")));
    *length = reach(mask, node, n);
    return mask;
}

/* The mask of the first of n nodes, or one for the condition that it shares with others. *length: the number of nodes
 * that it may enclose. NULL: there is none. */
static const struct node *first_mask(struct lowering *lowering, const struct node *const *node, int n, int *length)
{
    *length = 1;
    if (is_guarded(node[0]) && !writes_condition(node[0]))
        return shared_condition(lowering, node, n, length);
    if (!is_mask(node[0]))
        return NULL;
    *length = reach(node[0], node, n);
    return node[0];
}

/* The block, its masks joined. */
static const struct node *joined_block(struct lowering *lowering, const struct node *block)
{
    const struct node **child = ARENA_ARRAY(lowering->arena, block->n_child, const struct node *);
    struct node *copy = ARENA_NEW(lowering->arena, struct node);
    int n = 0;

    for (int k = 0; k < block->n_child; n++) {
        const struct node *const *const from = block->child + k;
        int length;
        const struct node *mask = first_mask(lowering, from, block->n_child - k, &length);
        child[n] = length > 1 ? around(lowering, mask, from, length) : from[0];
        k += length;
    }
    *copy = *block;
    copy->child = child;
    copy->n_child = n;
    return copy;
}

const struct node *same_masks_joined(struct lowering *lowering, const struct node *tree)
{
    const struct node **child = ARENA_ARRAY(lowering->arena, tree->n_child + 1, const struct node *);

    for (int k = 0; k < tree->n_child; k++)
        child[k] = same_masks_joined(lowering, tree->child[k]);
    if (tree->n_child)
        tree = node_with_children(lowering->arena, tree, child);
    return tree->kind == NODE_BLOCK ? joined_block(lowering, tree) : tree;
}
