#include "lower/vector/fill_all.h"

#include "base/vec.h"
#include "lower/body/declarations.h"
#include "program/program.h"
#include "tree/visit.h"

struct filling {
    struct arena *arena;
    VEC(const struct var *) loops; /* variables of those around the place */
};

static bool is_constant(const struct tree_expr *value)
{
    return value->kind == TREE_INT || value->kind == TREE_REAL ||
           (value->kind == TREE_CAST && is_constant(value->arg[0]));
}

/* Is the element, which nothing may ask for, one of the array? */
static bool is_inside(const struct facts *facts, const struct element *element)
{
    struct arena *arena = facts->lowering->arena;

    for (int d = 0; d < element->array->n_dim; d++) {
        const struct expr *extent = element->array->shape[d];
        const struct affine *index = element->index[d], *behind;
        if (!index || extent->kind != EXPR_INT)
            return false;
        behind = affine_sub(arena, affine_constant(arena, extent->integer - 1), index);
        if (!behind || !facts_imply(facts, index) || !facts_imply(facts, behind))
            return false;
    }
    return true;
}

static bool runs_over_literals(const struct node *loop)
{
    return !loop->threads && affine_is_constant(loop->lower, NULL) && affine_is_constant(loop->upper, NULL);
}

/* Is node, under its conditions or without them, only that? */
static bool fills(const struct facts *facts, const struct node *node, const struct array *array)
{
    bool only = node->kind == NODE_BLOCK || (node->kind == NODE_IF && node->n_child == 1 && !node->value) ||
                (node->kind == NODE_LOOP && runs_over_literals(node));
    struct facts inside = *facts;

    if (node->kind == NODE_ASSIGN)
        return node->target.array == array && node->op == OP_NONE && !node->guard_value && is_constant(node->value) &&
               is_inside(facts, &node->target);
    if (node->kind == NODE_LOOP)
        facts_enter(&inside, node, 0);
    for (int k = 0; k < node->n_child && only; k++)
        only = fills(&inside, node->child[k], array);
    return only;
}

static bool uses_loop(const struct filling *filling, const struct affine *a)
{
    for (int k = 0; k < filling->loops.n; k++)
        if (affine_uses(a, filling->loops.at[k]))
            return true;
    return false;
}

/* Is each of its conditions about the loops? */
static bool chooses_rows(const struct filling *filling, const struct node *node)
{
    for (int k = 0; k < node->n_alternative; k++)
        for (int c = 0; c < node->alternative[k].n; c++)
            if (!uses_loop(filling, node->alternative[k].condition[c].affine))
                return false;
    return true;
}

static const struct node *all_rows(struct filling *filling, const struct node *node)
{
    const struct node **child = ARENA_ARRAY(filling->arena, node->n_child + 1, const struct node *);

    if (node->kind == NODE_IF && chooses_rows(filling, node)) {
        const struct node *all = all_rows(filling, node->child[0]);
        return node->n_alternative == 1 ? node_counted(filling->arena, all, &node->alternative[0])
                                        : node_untold(filling->arena, all);
    }
    if (node->n_child == 0)
        return node;
    if (node->kind == NODE_LOOP)
        VEC_PUSH(filling->arena, &filling->loops, node->var);
    for (int k = 0; k < node->n_child; k++)
        child[k] = all_rows(filling, node->child[k]);
    filling->loops.n -= node->kind == NODE_LOOP;
    return node_with_children(filling->arena, node, child);
}

const struct node *fill_all(const struct facts *facts, const struct node *node, const struct array *array)
{
    struct filling filling = {.arena = facts->lowering->arena};
    int first = 0;

    if (node->kind == NODE_LOOP)
        return fills(facts, node, array) ? all_rows(&filling, node) : node;
    if (node->kind != NODE_BLOCK && node->kind != NODE_VALUE)
        return node;
    while (first < node->n_child && !array_is_used(node->child[first], array))
        first++;
    if (first == node->n_child)
        return node;
    struct facts inside = *facts;
    facts_enter(&inside, node, first);
    return node_with_child(filling.arena, node, first, fill_all(&inside, node->child[first], array));
}
