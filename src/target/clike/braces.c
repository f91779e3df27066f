#include "target/clike/braces.h"

#include "program/program.h"
#include "target/clike/scope.h"
#include "target/clike/together.h"
#include "tree/visit.h"

/* A tile as one statement? */
static bool is_short(const struct node *tile)
{
    const struct array *target = tile->target.array;
    const struct tree_expr *const *factor;

    switch (tile->tensor->kind) {
    case TENSOR_LOAD:
        return target->fragment->use == FRAGMENT_SUMS || target->type != TYPE_F32;
    case TENSOR_MULTIPLY:
        factor = node_added(tile)->arg;
        return tree_expr_unwidened(factor[0])->element.array->fragment &&
               tree_expr_unwidened(factor[1])->element.array->fragment;
    case TENSOR_MAP:
        return false;
    default:
        return true;
    }
}

/* The same on a CPU. */
static bool is_line(const struct matrix_tile *tile)
{
    return tile->kind == TILE_MULTIPLY ? tile->factor[0].stays && tile->factor[1].stays
                                       : tile->kind != TILE_STORE || !tile->sums.rows;
}

bool braces_needed(const struct node *body)
{
    return body->comment || binds_name(body) || (body->kind == NODE_BLOCK && !together_all(body)) ||
           body->kind == NODE_KERNEL || (body->kind == NODE_REGION && body->n_local > 0) || body->warp_sum ||
           body->waits || body->prior > 1 || (body->tensor && !is_short(body)) || body->kind == NODE_TILES ||
           body->kind == NODE_TEXT || (body->tile && !is_line(body->tile));
}

bool braces_wide(const struct node *body)
{
    return braces_needed(body) || body->kind == NODE_REGION || body->kind == NODE_SINGLE || node_is_parallel(body);
}

/* Is a condition the last thing inside node, without braces around it? *otherwise: has it an else? */
static bool ends_in_if(const struct node *node, bool *otherwise)
{
    *otherwise = node->kind == NODE_IF && node->n_child == 2;
    if (node->kind == NODE_LOOP || node->kind == NODE_REGION || node->kind == NODE_SINGLE)
        return !braces_wide(node->child[0]) && ends_in_if(node->child[0], otherwise);
    return node->kind == NODE_IF || together_all(node) ||
           (node->kind == NODE_ASSIGN && node->guard_value && !node->vector);
}

bool braces_else_if(const struct node *otherwise)
{
    return otherwise->kind == NODE_IF && !otherwise->comment;
}

bool braces_of_branches(const struct node *node)
{
    bool otherwise;

    if (braces_wide(node->child[0]) || (ends_in_if(node->child[0], &otherwise) && (otherwise || node->n_child == 2)))
        return true;
    if (node->n_child == 1)
        return false;
    return braces_else_if(node->child[1]) ? braces_of_branches(node->child[1]) : braces_wide(node->child[1]);
}
