#include "tree/tree.h"

#include "tree/visit.h"

static struct node *node_new(struct arena *arena, enum node_kind kind)
{
    struct node *node = ARENA_NEW(arena, struct node);

    node->kind = kind;
    return node;
}

static const struct node **one_child(struct arena *arena, const struct node *body)
{
    const struct node **child = ARENA_NEW(arena, const struct node *);

    child[0] = body;
    return child;
}

bool node_is_scope(const struct node *block)
{
    return block->scope || block->n_own > 0;
}

static bool dissolves(const struct node *node)
{
    return node->kind == NODE_BLOCK && !node->comment && !node_is_scope(node);
}

bool node_is_empty(const struct node *node)
{
    return node->kind == NODE_BLOCK && node->n_child == 0;
}

const struct node *node_block(struct arena *arena, const struct node *const *child, int n)
{
    int n_child = 0;

    for (int k = 0; k < n; k++) {
        if (!child[k])
            return NULL;
        n_child += dissolves(child[k]) ? child[k]->n_child : 1;
    }
    const struct node **flat = ARENA_ARRAY(arena, n_child, const struct node *);
    for (int k = 0, at = 0; k < n; k++) {
        if (!dissolves(child[k]))
            flat[at++] = child[k];
        else
            for (int m = 0; m < child[k]->n_child; m++)
                flat[at++] = child[k]->child[m];
    }
    if (n_child == 1)
        return flat[0];
    struct node *block = node_new(arena, NODE_BLOCK);
    block->child = flat;
    block->n_child = n_child;
    return block;
}

const struct node *node_block_like(struct arena *arena, const struct node *block, const struct node *const *child,
                                   int n)
{
    const struct node *node = node_block(arena, child, n);

    return block->comment ? node_with_comment(arena, node, block->comment) : node;
}

const struct node *node_loop(struct arena *arena, const struct var *var, const struct affine *lower,
                             const struct affine *upper, int64_t step, const struct loop_info *info,
                             const struct node *body)
{
    if (!lower || !upper || !body)
        return NULL;
    struct node *loop = node_new(arena, NODE_LOOP);

    loop->var = var;
    loop->lower = lower;
    loop->upper = upper;
    loop->step = step;
    loop->info = info;
    loop->child = one_child(arena, body);
    loop->n_child = 1;
    return loop;
}

const struct node *node_with_computes(struct arena *arena, const struct node *node, const struct node *computes)
{
    struct node *copy;

    if (!computes || computes == node->computes)
        return computes ? node : NULL;
    copy = ARENA_NEW(arena, struct node);
    *copy = *node;
    copy->computes = computes;
    return copy;
}

struct tree_expr *tree_expr_new(struct arena *arena, enum tree_expr_kind kind, enum type type)
{
    struct tree_expr *expr = ARENA_NEW(arena, struct tree_expr);

    expr->kind = kind;
    expr->type = type;
    return expr;
}

const struct tree_expr *tree_expr_integer(struct arena *arena, enum type type, int64_t value)
{
    struct tree_expr *expr = tree_expr_new(arena, TREE_INT, type);

    expr->integer = value;
    return expr;
}

const struct tree_expr *tree_expr_index(struct arena *arena, enum type type, const struct affine *affine)
{
    struct tree_expr *expr;
    int64_t value;

    if (affine_is_constant(affine, &value))
        return tree_expr_integer(arena, type, value);
    expr = tree_expr_new(arena, TREE_INDEX, type);
    expr->affine = affine;
    return expr;
}

const struct tree_expr *tree_expr_binary(struct arena *arena, enum expr_op op, enum type type,
                                         const struct tree_expr *a, const struct tree_expr *b)
{
    struct tree_expr *expr = tree_expr_new(arena, TREE_BINARY, type);
    const struct tree_expr **arg = ARENA_ARRAY(arena, 2, const struct tree_expr *);

    arg[0] = a;
    arg[1] = b;
    expr->op = op;
    expr->arg = arg;
    expr->n_arg = 2;
    return expr;
}

bool condition_equal(const struct condition *a, const struct condition *b)
{
    return a->equal == b->equal && affine_equal(a->affine, b->affine);
}

bool guard_has(const struct guard *guard, const struct condition *condition)
{
    for (int k = 0; k < guard->n; k++)
        if (condition_equal(&guard->condition[k], condition))
            return true;
    return false;
}

const struct guard *guard_opposites(struct arena *arena, const struct guard *guard)
{
    struct guard *opposite = ARENA_ARRAY(arena, guard->n, struct guard);

    for (int k = 0; k < guard->n; k++) {
        struct condition *condition = ARENA_NEW(arena, struct condition);
        condition->affine = affine_scale(arena, guard->condition[k].affine, -1);
        condition->affine = condition->affine ? affine_add_constant(arena, condition->affine, -1) : NULL;
        opposite[k] = (struct guard){condition, 1};
    }
    return opposite;
}

const struct node *node_if(struct arena *arena, const struct guard *alternative, int n, const struct node *body)
{
    if (!body || !n)
        return body;
    for (int k = 0; k < n; k++)
        for (int c = 0; c < alternative[k].n; c++)
            if (!alternative[k].condition[c].affine)
                return NULL;
    for (int k = 0; k < n; k++)
        if (!alternative[k].n)
            return body;
    struct node *node = node_new(arena, NODE_IF);
    node->alternative = alternative;
    node->n_alternative = n;
    node->child = one_child(arena, body);
    node->n_child = 1;
    return node;
}

const struct node *node_with_else(struct arena *arena, const struct node *node, const struct node *otherwise)
{
    if (!node || !otherwise)
        return NULL;
    struct node *copy = ARENA_NEW(arena, struct node);
    const struct node **child = ARENA_ARRAY(arena, 2, const struct node *);

    *copy = *node;
    child[0] = node->child[0];
    child[1] = otherwise;
    copy->child = child;
    copy->n_child = 2;
    return copy;
}

const struct node *node_value(struct arena *arena, const struct var *var, const struct affine *value,
                              const struct node *body)
{
    if (!value || !body)
        return NULL;
    struct node *node = node_new(arena, NODE_VALUE);

    node->var = var;
    node->lower = value;
    node->child = one_child(arena, body);
    node->n_child = 1;
    return node;
}

const struct node *node_value_if_used(struct arena *arena, const struct var *var, const struct affine *value,
                                      const struct node *body)
{
    if (!value || !body)
        return NULL;
    return node_uses(body, var) ? node_value(arena, var, value, body) : node_substitute(arena, body, var, value);
}

const struct node *node_statement(struct arena *arena, const struct statement *statement,
                                  const struct affine *const *argument)
{
    struct node *node = node_new(arena, NODE_STATEMENT);

    node->statement = statement;
    node->argument = argument;
    return node;
}

const struct node *node_switch(struct arena *arena, const struct affine *value, const int64_t *label,
                               const struct node *const *child, int n)
{
    if (!value)
        return NULL;
    for (int k = 0; k < n; k++)
        if (!child[k])
            return NULL;
    struct node *node = node_new(arena, NODE_SWITCH);

    node->lower = value;
    node->label = label;
    node->child = child;
    node->n_child = n;
    return node;
}

const struct node *node_call(struct arena *arena, const struct routine *routine, const struct node *body)
{
    if (!body)
        return NULL;
    struct node *node = node_new(arena, NODE_CALL);

    node->routine = routine;
    node->child = one_child(arena, body);
    node->n_child = 1;
    return node;
}

const struct node *node_barrier(struct arena *arena, const struct statement *statement, const char *note, bool waits,
                                bool lone, int prior)
{
    struct node *node = node_new(arena, NODE_BARRIER);

    node->statement = statement;
    node->note = note;
    node->waits = waits;
    node->lone = lone;
    node->prior = prior;
    return node;
}

const struct node *node_kernel(struct arena *arena, const struct launch *launch, const struct node *body)
{
    if (!body)
        return NULL;
    struct node *node = node_new(arena, NODE_KERNEL);

    node->launch = launch;
    node->child = one_child(arena, body);
    node->n_child = 1;
    return node;
}

const struct node *node_with_child(struct arena *arena, const struct node *node, int k, const struct node *child)
{
    const struct node **list = ARENA_ARRAY(arena, node->n_child, const struct node *);

    for (int c = 0; c < node->n_child; c++)
        list[c] = c == k ? child : node->child[c];
    return node_with_children(arena, node, list);
}

const struct node *node_with_body(struct arena *arena, const struct node *node, const struct node *body)
{
    return node && body ? node_with_children(arena, node, one_child(arena, body)) : NULL;
}

const struct node *node_with_bounds(struct arena *arena, const struct node *loop, const struct affine *lower,
                                    const struct affine *upper)
{
    if (!loop || !lower || !upper)
        return NULL;
    struct node *copy = ARENA_NEW(arena, struct node);

    *copy = *loop;
    copy->lower = lower;
    copy->upper = upper;
    return copy;
}

const struct node *node_with_comment(struct arena *arena, const struct node *node, const char *comment)
{
    if (!node)
        return NULL;
    struct node *copy = ARENA_NEW(arena, struct node);

    *copy = *node;
    copy->comment = comment;
    return copy;
}

bool node_is_parallel(const struct node *node)
{
    return (node->kind == NODE_LOOP || node->kind == NODE_TUPLE) && node->threads;
}

struct node *node_shared_loop(struct arena *arena, const struct node *loop)
{
    struct node *copy = ARENA_NEW(arena, struct node);
    struct threads *threads = ARENA_NEW(arena, struct threads);

    *threads = *loop->threads;
    threads->shared = true;
    *copy = *loop;
    copy->threads = threads;
    copy->comment = NULL;
    return copy;
}

const struct node *node_region(struct arena *arena, const struct node *loop, const struct node *inside)
{
    const struct node **child = ARENA_ARRAY(arena, 1, const struct node *);
    struct node *region = ARENA_NEW(arena, struct node);

    child[0] = inside;
    *region = (struct node){
        .kind = NODE_REGION, .child = child, .n_child = 1, .comment = loop->comment, .threads = loop->threads};
    return region;
}

static const struct guard *both(struct arena *arena, const struct guard *a, const struct guard *b)
{
    struct condition *condition = ARENA_ARRAY(arena, a->n + b->n + 1, struct condition);
    struct guard *guard = ARENA_NEW(arena, struct guard);

    for (int k = 0; k < a->n + b->n; k++)
        condition[k] = k < a->n ? a->condition[k] : b->condition[k - a->n];
    *guard = (struct guard){condition, a->n + b->n};
    return guard;
}

const struct node *node_counted(struct arena *arena, const struct node *node, const struct guard *guard)
{
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);
    struct node *copy = ARENA_NEW(arena, struct node);

    for (int k = 0; k < node->n_child; k++)
        child[k] = node_counted(arena, node->child[k], guard);
    *copy = *node_with_children(arena, node, child);
    copy->computes = node->computes ? node_counted(arena, node->computes, guard) : NULL;
    if (copy->argument)
        copy->counted = copy->counted ? both(arena, copy->counted, guard) : guard;
    return copy;
}

const struct node *node_untold(struct arena *arena, const struct node *node)
{
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);
    struct node *copy = ARENA_NEW(arena, struct node);

    for (int k = 0; k < node->n_child; k++)
        child[k] = node_untold(arena, node->child[k]);
    *copy = *node_with_children(arena, node, child);
    copy->computes = node->computes ? node_untold(arena, node->computes) : NULL;
    copy->untold = copy->untold || copy->argument;
    copy->argument = NULL;
    copy->counted = NULL;
    copy->n_inner = 0;
    return copy;
}

struct substitution {
    const struct var *var;
    const struct affine *value;
};

static const struct affine *substitute_affine(struct arena *arena, const struct affine *affine, void *user)
{
    const struct substitution *substitution = user;

    return affine_substitute(arena, affine, substitution->var, substitution->value);
}

const struct node *node_substitute(struct arena *arena, const struct node *node, const struct var *var,
                                   const struct affine *value)
{
    struct substitution substitution = {var, value};
    const struct node *own = node_map_own(arena, node, substitute_affine, &substitution);

    if (own && own->computes)
        return node_with_computes(arena, own, node_substitute(arena, own->computes, var, value));
    if (!own || !own->n_child || own->var == var)
        return own;
    const struct node **child = ARENA_ARRAY(arena, own->n_child, const struct node *);
    for (int k = 0; k < own->n_child; k++)
        child[k] = node_substitute(arena, own->child[k], var, value);
    return node_with_children(arena, own, child);
}

/* Is a variable declared in node, outside of its loops? */
static bool declares_variable(const struct node *node)
{
    bool found = node->declares != DECLARE_NOTHING;

    for (int k = 0; k < node->n_child && node->kind != NODE_LOOP && !found; k++)
        found = declares_variable(node->child[k]);
    return found;
}

const struct node *node_iteration(struct arena *arena, const struct node *loop, const struct affine *value)
{
    const struct node *body = node_substitute(arena, loop->child[0], loop->var, value);
    struct node *block;

    if (!body || (loop->n_local == 0 && !declares_variable(body)))
        return body;
    block = node_new(arena, NODE_BLOCK);
    block->child = one_child(arena, body);
    block->n_child = 1;
    block->local = loop->local;
    block->n_local = loop->n_local;
    block->scope = true;
    return block;
}
