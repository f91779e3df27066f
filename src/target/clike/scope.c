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

/* Does an assignment in node write the array itself? */
static bool writes_array(const struct node *node, const struct array *array)
{
    bool writes = node->target.array == array && !node_writes_vector(node);

    for (int k = 0; k < node->n_child && !writes; k++)
        writes = writes_array(node->child[k], array);
    return writes;
}

bool uses_array(const struct node *node, const struct array *array)
{
    return node_reads(node, array) || writes_array(node, array);
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
