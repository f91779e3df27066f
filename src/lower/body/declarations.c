#include "lower/body/declarations.h"

#include "program/program.h"
#include "sched/order.h"
#include "tree/visit.h"

struct search {
    const struct array *array;
    struct array_uses found;
};

static void look_expr(const struct tree_expr *expr, void *user)
{
    struct search *search = user;

    search->found.uses += expr->element.array == search->array;
}

static void look(const struct node *node, void *user)
{
    struct search *search = user;

    if (node->kind != NODE_ASSIGN)
        return;
    search->found.writes += node->target.array == search->array;
    search->found.uses += node->target.array == search->array;
    for (int k = 0; node->target.indirect && k < node->target.array->n_dim; k++)
        tree_expr_for_each(node->target.indirect[k], look_expr, search);
    tree_expr_for_each(node->value, look_expr, search);
    tree_expr_for_each(node->guard_value, look_expr, search);
}

struct array_uses array_uses(const struct node *node, const struct array *array)
{
    struct search search = {.array = array};

    node_for_each(node, look, &search);
    return search.found;
}

bool array_is_used(const struct node *node, const struct array *array)
{
    return array_uses(node, array).uses > 0;
}

static bool value_uses(const struct node *assign, const struct array *array)
{
    struct search search = {.array = array};

    tree_expr_for_each(assign->value, look_expr, &search);
    return search.found.uses > 0;
}

bool array_stays_in(const struct node *loop, const struct array *array)
{
    return loop->info && array_is_within(array, loop->info->id);
}

bool declaration_fits(const struct node *node, const struct array *array)
{
    const bool stored_by_call = node->statement && node->statement->call && !array->is_call;

    return node->kind == NODE_ASSIGN && node->target.array == array && node->op == OP_NONE && !node->guard_value &&
           !stored_by_call && !value_uses(node, array);
}

const struct node *declaration_of(struct arena *arena, const struct node *assign, bool only)
{
    struct node *copy = ARENA_NEW(arena, struct node);

    *copy = *assign;
    copy->declares = only ? DECLARE_CONSTANT : DECLARE_VARIABLE;
    return copy;
}
