/* Signs that ptxas drops (doc/COMPILERS.md, "signs in the least of three"):
 *
 *     x = min(x, -a[0]);
 *     x = min(x, -a[7]);    is to it min(x, a[0], -a[7])
 *
 * where the numbers have 32 bits. Choices that nvcc takes for a minimum or a maximum are the same to it.
 */
#include "target/device/file.h"

#include "target/clike/types.h"
#include "tree/visit.h"

static void look_at_value(const struct tree_expr *expr, void *user)
{
    const bool least = expr->kind == TREE_CALL && (expr->function == FUNCTION_MIN || expr->function == FUNCTION_MAX);

    *(bool *)user |= (least || expr->kind == TREE_SELECT) && c_is_int(expr->type);
}

static void look_at_node(const struct node *node, void *user)
{
    const bool update = node->kind == NODE_ASSIGN && (node->op == OP_MIN || node->op == OP_MAX);

    *(bool *)user |= update && c_is_int(node->target.array->type);
    tree_expr_for_each(node->value, look_at_value, user);
    tree_expr_for_each(node->guard_value, look_at_value, user);
}

bool device_chooses_least(const struct node *kernel)
{
    bool found = false;

    node_for_each(kernel, look_at_node, &found);
    return found;
}
