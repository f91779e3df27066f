#include "lower/vector/reuse/forward.h"

#include "lower/vector/reuse/masks.h"
#include "program/program.h"
#include "tree/visit.h"

#include <ctype.h>
#include <string.h>

/* What is stored, and its name. */
struct stored {
    struct arena *arena;
    const struct node *store;
    const struct tree_expr *name;
};

/* Is it in lanes that no condition chooses, but for how many there are? */
static bool is_plain(const struct node *node)
{
    return node->kind == NODE_ASSIGN && node->vector && !node->vector->active && !node->guard_value;
}

/* Does node store a computed value to neighbours in memory? */
static bool is_store(const struct node *node)
{
    return is_plain(node) && node->op == OP_NONE && !node->vector->sum && node->target.lane_step == 1 &&
           !node->target.parts && !node->comment && !node->target.array->in_registers &&
           node->value->type == node->target.array->type && node->value->n_arg > 0 && node->value->kind != TREE_LOAD &&
           !tree_expr_uniform(node->value);
}

static bool is_again(const struct stored *stored, const struct tree_expr *expr)
{
    return expr->kind == TREE_LOAD && expr->n_arg == 0 && expr->integer == 0 &&
           expr->type == stored->store->value->type && element_equal(&expr->element, &stored->store->target);
}

/* expr with the name for what was stored; expr itself where it does not load that. */
static const struct tree_expr *replaced(const struct stored *stored, const struct tree_expr *expr)
{
    const struct tree_expr **arg = ARENA_ARRAY(stored->arena, expr->n_arg + 1, const struct tree_expr *);
    struct tree_expr *copy;
    bool changed = false;

    if (is_again(stored, expr))
        return stored->name;
    for (int k = 0; k < expr->n_arg; k++) {
        arg[k] = replaced(stored, expr->arg[k]);
        changed |= arg[k] != expr->arg[k];
    }
    if (!changed)
        return expr;
    copy = ARENA_NEW(stored->arena, struct tree_expr);
    *copy = *expr;
    copy->arg = arg;
    return copy;
}

static const struct node *with_value(struct arena *arena, const struct node *assign, const struct tree_expr *value)
{
    struct node *copy = ARENA_NEW(arena, struct node);

    *copy = *assign;
    copy->value = value;
    return copy;
}

static void look_for_write(const struct node *node, void *user)
{
    const struct array **array = user;

    if (node->kind == NODE_ASSIGN && node->target.array == *array)
        *array = NULL;
}

static bool writes(const struct node *node, const struct array *array)
{
    node_for_each(node, look_for_write, &array);
    return !array;
}

/* child[0] stores; the name in the place of loads in the n - 1 behind it, until the array is written again. */
static bool replace_behind(const struct stored *stored, const struct node **child, int n)
{
    bool found = false;

    for (int k = 1; k < n; k++) {
        const struct node *next = child[k];
        if (is_plain(next) && masks_same_lanes(next->vector, stored->store->vector)) {
            const struct tree_expr *value = replaced(stored, next->value);
            if (value != next->value)
                child[k] = with_value(stored->arena, next, value);
            found |= value != next->value;
        }
        if (writes(next, stored->store->target.array))
            break;
    }
    return found;
}

/* "y_new" */
static const struct tree_expr *new_name(struct lowering *lowering, const struct node *store)
{
    char *name = arena_printf(lowering->arena, "%s_new", store->target.array->name);
    struct tree_expr *result = tree_expr_new(lowering->arena, TREE_NAMED, store->value->type);

    for (char *c = name; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    result->var = lower_new_var(lowering, VAR_LOOP, names_unique(&lowering->taken, name));
    return result;
}

/* The store and the n - 1 nodes behind it inside of the name. */
static const struct node *let(const struct stored *stored, const struct node *const *inside, int n)
{
    const struct node **body = ARENA_ARRAY(stored->arena, 1, const struct node *);
    struct node *result = ARENA_NEW(stored->arena, struct node);

    body[0] = node_block(stored->arena, inside, n);
    *result = (struct node){.kind = NODE_LET,
                            .op = OP_NONE,
                            .child = body,
                            .n_child = 1,
                            .var = stored->name->var,
                            .value = stored->store->value,
                            .statement = stored->store->statement,
                            .vector = stored->store->vector};
    return result;
}

/* Gives names in n nodes that follow each other; how many they are then. */
static int forward(struct lowering *lowering, const struct node **child, int n)
{
    for (int k = 0; k < n; k++) {
        const int taken = lowering->taken.used.n;
        struct stored stored = {.arena = lowering->arena, .store = child[k]};
        if (!is_store(child[k]))
            continue;
        stored.name = new_name(lowering, child[k]);
        if (replace_behind(&stored, &child[k], n - k)) {
            const struct node **inside = ARENA_ARRAY(lowering->arena, n - k, const struct node *);
            memcpy(inside, &child[k], (size_t)(n - k) * sizeof(*inside));
            inside[0] = with_value(lowering->arena, child[k], stored.name);
            child[k] = let(&stored, inside, forward(lowering, inside, n - k));
            return k + 1;
        }
        lowering->taken.used.n = taken;
    }
    return n;
}

static const struct node *walk(struct lowering *lowering, const struct node *node)
{
    const struct node **child = ARENA_ARRAY(lowering->arena, node->n_child + 1, const struct node *);
    struct node *copy;

    for (int k = 0; k < node->n_child; k++) {
        const int taken = lowering->taken.used.n;
        child[k] = walk(lowering, node->child[k]);
        lowering->taken.used.n = taken;
    }
    if (node->kind != NODE_BLOCK)
        return node->n_child ? node_with_children(lowering->arena, node, child) : node;
    copy = ARENA_NEW(lowering->arena, struct node);
    *copy = *node;
    copy->n_child = forward(lowering, child, node->n_child);
    copy->child = child;
    return copy;
}

const struct node *lower_forward(struct lowering *lowering, const struct node *tree)
{
    lowering->taken.used.n = 0;
    lower_used_names(lowering, tree, &lowering->taken);
    return walk(lowering, tree);
}
