#include "target/clike/scope.h"

#include "program/program.h"
#include "tree/visit.h"

#include <string.h>

bool binds_name(const struct node *node)
{
    return node->kind == NODE_VALUE || node->kind == NODE_LET || node->kind == NODE_POINTER;
}

/* Does node declare a value called name in the block that it is printed into? */
static bool declares(const struct node *node, const char *name)
{
    if (node->continues)
        return strcmp(node->var->name, name) == 0;
    if (binds_name(node))
        return strcmp(node->var->name, name) == 0 || declares(node->child[0], name);
    for (int k = 0; node->kind == NODE_BLOCK && !node_is_scope(node) && k < node->n_child; k++)
        if (declares(node->child[k], name))
            return true;
    return false;
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

static void find_read(const struct node *node, void *user)
{
    for (int k = 0; node->target.indirect && k < node->target.array->n_dim; k++)
        tree_expr_for_each(node->target.indirect[k], find_in_expr, user);
    tree_expr_for_each(node->value, find_in_expr, user);
    tree_expr_for_each(node->guard_value, find_in_expr, user);
}

static void find_use(const struct node *node, void *user)
{
    struct array_search *search = user;
    const bool is_vector = node->vector && node->vector->sum;

    search->found |= node->target.array == search->array && !is_vector;
    find_read(node, user);
}

bool reads_array(const struct node *node, const struct array *array)
{
    struct array_search search = {array, false};

    node_for_each(node, find_read, &search);
    return search.found;
}

bool uses_array(const struct node *node, const struct array *array)
{
    struct array_search search = {array, false};

    node_for_each(node, find_use, &search);
    return search.found;
}

bool name_is_free(const char *name, const struct node *const *following, int n)
{
    for (int k = 0; k < n; k++)
        if (declares(following[k], name))
            return false;
    return true;
}

static void find_declared_factor(const struct tree_expr *expr, void *user)
{
    *(bool *)user |= expr->kind == TREE_LOAD && !expr->element.array->fragment;
}

/* A matrix product that declares fragments for what it loads. */
static bool declares_factors(const struct node *node)
{
    bool declares = false;

    if (node->kind == NODE_ASSIGN && node->tensor && node->tensor->kind == TENSOR_MULTIPLY)
        tree_expr_for_each(node->value, find_declared_factor, &declares);
    for (int k = 0; k < node->n_child && !declares; k++)
        declares = (node->kind == NODE_BLOCK || binds_name(node)) && declares_factors(node->child[k]);
    return declares;
}

bool names_may_stay(const struct node *node, const struct node *const *following, int n)
{
    for (int k = 0; k < n && declares_factors(node); k++)
        if (declares_factors(following[k]))
            return false;
    if (node->continues)
        return name_is_free(node->var->name, following, n);
    if (binds_name(node))
        return name_is_free(node->var->name, following, n) && names_may_stay(node->child[0], following, n);
    for (int k = 0; node->kind == NODE_BLOCK && !node_is_scope(node) && k < node->n_child; k++)
        if (!names_may_stay(node->child[k], following, n))
            return false;
    return true;
}
