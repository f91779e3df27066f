#include "target/clike/scope.h"

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
    for (int k = 0; node->kind == NODE_BLOCK && node->n_own == 0 && k < node->n_child; k++)
        if (declares(node->child[k], name))
            return true;
    return false;
}

bool name_is_free(const char *name, const struct node *const *following, int n)
{
    for (int k = 0; k < n; k++)
        if (declares(following[k], name))
            return false;
    return true;
}

bool names_may_stay(const struct node *node, const struct node *const *following, int n)
{
    if (node->continues)
        return name_is_free(node->var->name, following, n);
    if (binds_name(node))
        return name_is_free(node->var->name, following, n) && names_may_stay(node->child[0], following, n);
    for (int k = 0; node->kind == NODE_BLOCK && node->n_own == 0 && k < node->n_child; k++)
        if (!names_may_stay(node->child[k], following, n))
            return false;
    return true;
}
