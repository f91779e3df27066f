#include "tree/visit.h"

#include "program/program.h"

struct search {
    const struct var *var;
    bool found;
};

static bool element_uses(const struct element *element, const struct var *var)
{
    for (int k = 0; element->index && k < element->array->n_dim; k++)
        if (affine_uses(element->index[k], var))
            return true;
    return false;
}

static void search_expr(const struct tree_expr *expr, void *user)
{
    struct search *search = user;

    search->found |=
        expr->var == search->var || affine_uses(expr->affine, search->var) || element_uses(&expr->element, search->var);
}

static bool place_uses(const struct tile_place *place, const struct var *var)
{
    return (place->rows && affine_uses(place->rows, var)) || (place->bytes && affine_uses(place->bytes, var));
}

static bool tile_uses(const struct matrix_tile *tile, const struct var *var)
{
    return place_uses(&tile->sums, var) || place_uses(&tile->factor[0], var) || place_uses(&tile->factor[1], var);
}

static bool guard_uses(const struct guard *guard, const struct var *var)
{
    for (int c = 0; guard && c < guard->n; c++)
        if (affine_uses(guard->condition[c].affine, var))
            return true;
    return false;
}

static void search_node(const struct node *node, void *user)
{
    struct search *search = user;

    search->found |= affine_uses(node->lower, search->var) || affine_uses(node->upper, search->var) ||
                     element_uses(&node->target, search->var) ||
                     (node->vector && affine_uses(node->vector->count, search->var)) ||
                     (node->tile && tile_uses(node->tile, search->var)) ||
                     (node->warp_sum && guard_uses(node->warp_sum->update, search->var));
    for (int k = 0; k < node->n_part; k++)
        search->found |=
            affine_uses(node->part[k].first, search->var) || affine_uses(node->part[k].extent, search->var);
    for (int k = 0; k < node->n_alternative; k++)
        search->found |= guard_uses(&node->alternative[k], search->var);
    for (int k = 0; node->kind == NODE_STATEMENT && k < node->statement->n_loop; k++)
        search->found |= affine_uses(node->argument[k], search->var);
    for (int k = 0; node->target.indirect && k < node->target.array->n_dim; k++)
        tree_expr_for_each(node->target.indirect[k], search_expr, search);
    tree_expr_for_each(node->value, search_expr, search);
    tree_expr_for_each(node->guard_value, search_expr, search);
}

bool node_uses(const struct node *node, const struct var *var)
{
    struct search search = {var, false};

    node_for_each(node, search_node, &search);
    return search.found;
}

bool tree_expr_uses(const struct tree_expr *expr, const struct var *var)
{
    struct search search = {var, expr->var == var};

    tree_expr_for_each(expr, search_expr, &search);
    return search.found;
}

struct array_search {
    const struct array *array;
    bool found;
};

static void find_in_expr(const struct tree_expr *expr, void *user)
{
    struct array_search *search = user;

    search->found |= expr->element.array == search->array;
}

bool tree_expr_reads(const struct tree_expr *expr, const struct array *array)
{
    struct array_search search = {array, false};

    tree_expr_for_each(expr, find_in_expr, &search);
    return search.found;
}

static void find_read(const struct node *node, void *user)
{
    for (int k = 0; node->target.indirect && k < node->target.array->n_dim; k++)
        tree_expr_for_each(node->target.indirect[k], find_in_expr, user);
    tree_expr_for_each(node->value, find_in_expr, user);
    tree_expr_for_each(node->guard_value, find_in_expr, user);
}

bool node_reads(const struct node *node, const struct array *array)
{
    struct array_search search = {array, false};

    node_for_each(node, find_read, &search);
    return search.found;
}
