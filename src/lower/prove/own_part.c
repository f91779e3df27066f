#include "lower/prove/own_part.h"

#include "program/program.h"

#include <string.h>

static const struct expr *without_casts(const struct expr *own)
{
    while (own && own->kind == EXPR_CAST)
        own = own->arg[0];
    return own;
}

const struct expr *own_operand(const struct expr *own, const struct tree_expr *expr, int k)
{
    bool same = false;

    if (expr->kind == TREE_CAST)
        return own;
    own = without_casts(own);
    if (!own || own->n_arg != expr->n_arg)
        return NULL;
    if (expr->kind == TREE_UNARY || expr->kind == TREE_BINARY)
        same = own->kind == (expr->kind == TREE_UNARY ? EXPR_UNARY : EXPR_BINARY) && own->op == expr->op;
    if (expr->kind == TREE_CALL)
        same = own->kind == EXPR_CALL && own->function == expr->function;
    return same ? own->arg[k] : NULL;
}

const struct expr *own_access(const struct expr *own, const struct tree_expr *expr)
{
    own = without_casts(own);
    return own && own->kind == EXPR_ACCESS && expr->kind == TREE_LOAD &&
                   strcmp(own->array->name, expr->element.array->name) == 0
               ? own
               : NULL;
}

/* Are the low `bits` bits of the integers the same? Lanes may have been narrowed to that width. */
static bool same_bits(int64_t a, int64_t b, int bits)
{
    const uint64_t mask = bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;

    return (((uint64_t)a ^ (uint64_t)b) & mask) == 0;
}

/* Are the numbers the same in this type? A dump has them as they are spelled. */
static bool same_real(double a, double b, enum type type)
{
    return type == TYPE_F64 ? a == b : (float)a == (float)b;
}

bool own_differs(const struct expr *own, const struct tree_expr *expr)
{
    own = without_casts(own);
    if (own && own->kind == EXPR_BINARY && expr->kind == TREE_BINARY)
        return type_is_float(expr->type) && own->op != expr->op;
    if (own && own->kind == EXPR_REAL && expr->kind == TREE_REAL)
        return !same_real(own->real, expr->real, expr->type);
    if (own && own->kind == EXPR_INT && expr->kind == TREE_INT)
        return !same_bits(own->integer, expr->integer, type_bits(expr->type));
    return own && own->kind == EXPR_SCALAR && expr->kind == TREE_SCALAR &&
           strcmp(own->scalar->name, expr->scalar->name) != 0;
}

const struct expr *own_value(const struct node *node)
{
    const enum expr_op op = node->kind == NODE_ASSIGN ? node->op : OP_NONE;

    return node->statement && node->statement->op == op ? node->statement->value : NULL;
}
