#include "lower/vector/lane_bools.h"

#include "program/program.h"
#include "tree/affine.h"
#include "tree/visit.h"

bool lane_bools_has(const struct element *element, const struct var *var)
{
    const struct array *array = element->array;

    if (array->type != TYPE_BOOL || array->in_registers)
        return false;
    for (int k = 0; k < array->n_dim; k++)
        if (!element->index[k] || affine_uses(element->index[k], var))
            return true;
    return false;
}

bool lane_bools_is(const struct tree_expr *expr, const struct tree_expr *folded)
{
    return expr->type == TYPE_BOOL && folded->type == TYPE_U8;
}

static const struct tree_expr *literal(struct arena *arena, enum type type, int64_t value)
{
    struct tree_expr *expr = tree_expr_new(arena, type_is_float(type) ? TREE_REAL : TREE_INT, type);

    expr->integer = value;
    expr->real = (double)value;
    expr->spelling = "0.0";
    return expr;
}

const struct tree_expr *lane_bools_number(struct arena *arena, const struct tree_expr *truth, enum type type)
{
    struct tree_expr *expr = tree_expr_new(arena, TREE_SELECT, type);
    const struct tree_expr **arg = ARENA_ARRAY(arena, 3, const struct tree_expr *);

    arg[0] = truth;
    arg[1] = literal(arena, type, 1);
    arg[2] = literal(arena, type, 0);
    expr->arg = arg;
    expr->n_arg = 3;
    return expr;
}

const struct tree_expr *lane_bools_bytes(struct arena *arena, const struct tree_expr *expr)
{
    if (tree_expr_is_truth(expr))
        return lane_bools_number(arena, expr, TYPE_U8);
    return expr->kind == TREE_INT ? literal(arena, TYPE_U8, expr->integer != 0) : tree_expr_cast(arena, TYPE_U8, expr);
}

const struct tree_expr *lane_bools_truth(struct arena *arena, const struct tree_expr *expr)
{
    const struct tree_expr *number = tree_expr_unwidened(expr);
    const bool half = type_is_float(number->type) && type_bits(number->type) == 16;

    if (tree_expr_is_truth(number) || number->type == TYPE_BOOL)
        return number;
    number = half ? tree_expr_cast(arena, TYPE_F32, number) : number;
    return tree_expr_binary(arena, OP_NE, TYPE_I32, number, literal(arena, number->type, 0));
}

bool lane_bools_wants_truth(const struct tree_expr *expr, int k)
{
    if (expr->kind == TREE_SELECT)
        return k == 0;
    return tree_expr_is_truth(expr) ? expr->op == OP_LNOT || expr->op == OP_LAND || expr->op == OP_LOR
                                    : expr->type == TYPE_BOOL;
}

/* Are bytes compared with each other? */
static bool compares_bytes(const struct tree_expr *expr, const struct tree_expr *const *arg)
{
    return tree_expr_is_truth(expr) && expr->n_arg == 2 && lane_bools_is(expr->arg[0], arg[0]) &&
           lane_bools_is(expr->arg[1], arg[1]);
}

void lane_bools_arguments(struct arena *arena, const struct tree_expr *expr, const struct tree_expr **arg)
{
    const bool chooses = expr->kind == TREE_SELECT && expr->type == TYPE_BOOL;
    const bool takes_bytes = chooses || expr->kind == TREE_CAST || compares_bytes(expr, arg);

    for (int k = 0; k < expr->n_arg; k++) {
        if (chooses && k > 0)
            arg[k] = lane_bools_bytes(arena, arg[k]);
        else if (expr->kind != TREE_CAST && lane_bools_wants_truth(expr, k))
            arg[k] = lane_bools_truth(arena, arg[k]);
        else if (lane_bools_is(expr->arg[k], arg[k]) && !takes_bytes)
            arg[k] = tree_expr_cast(arena, TYPE_I32, arg[k]);
    }
}

/* A number, 0 or 1, as a byte: it was made of a value of bool. */
static const struct tree_expr *byte_of(struct arena *arena, const struct tree_expr *number)
{
    const struct tree_expr *narrow = tree_expr_unwidened(number);
    const bool chosen = narrow->kind == TREE_SELECT && tree_expr_is_truth(narrow->arg[0]) && narrow->type != TYPE_U8;

    return lane_bools_bytes(arena, chosen ? narrow->arg[0] : narrow);
}

/* Is expr, which is converted to bool, a choice or logical operation of values of bool? */
static bool keeps_bools(const struct tree_expr *expr)
{
    const bool chooses = expr->kind == TREE_SELECT;

    if (!chooses && (expr->kind != TREE_BINARY || (expr->op != OP_AND && expr->op != OP_OR && expr->op != OP_XOR)))
        return false;
    for (int k = chooses; k < expr->n_arg; k++) {
        const bool converted = expr->arg[k]->kind == TREE_CAST && !type_is_float(expr->arg[k]->type);
        const struct tree_expr *value = converted ? expr->arg[k]->arg[0] : expr->arg[k];
        if (value->type != TYPE_BOOL && !tree_expr_is_truth(value))
            return false;
    }
    return true;
}

const struct tree_expr *lane_bools_cast(struct arena *arena, const struct tree_expr *expr,
                                        const struct tree_expr *folded)
{
    const struct tree_expr **arg = ARENA_ARRAY(arena, folded->n_arg + 1, const struct tree_expr *);
    struct tree_expr *copy;

    if (!keeps_bools(expr) || folded->kind != expr->kind)
        return lane_bools_truth(arena, folded);
    copy = ARENA_NEW(arena, struct tree_expr);
    *copy = *folded;
    for (int k = 0; k < folded->n_arg; k++)
        arg[k] = folded->kind == TREE_SELECT && k == 0 ? folded->arg[k] : byte_of(arena, folded->arg[k]);
    copy->type = TYPE_U8;
    copy->arg = arg;
    return copy;
}

static bool is_literal(const struct tree_expr *expr, int64_t value)
{
    return expr->kind == TREE_INT && expr->integer == value;
}

/* Bytes as a value of bool. */
static const struct tree_expr *bool_of_bytes(struct arena *arena, const struct tree_expr *bytes)
{
    const bool chooses = bytes->kind == TREE_SELECT;
    const bool loads = bytes->kind == TREE_LOAD && bytes->element.array->type == TYPE_BOOL;
    const struct tree_expr **arg = ARENA_ARRAY(arena, 3, const struct tree_expr *);
    struct tree_expr *copy = ARENA_NEW(arena, struct tree_expr);

    if (chooses && is_literal(bytes->arg[1], 1) && is_literal(bytes->arg[2], 0))
        return tree_expr_cast(arena, TYPE_BOOL, bytes->arg[0]);
    if (bytes->kind == TREE_INT)
        return literal(arena, TYPE_BOOL, bytes->integer);
    if (!chooses && !loads)
        return tree_expr_cast(arena, TYPE_BOOL, lane_bools_truth(arena, bytes));
    *copy = *bytes;
    copy->type = TYPE_BOOL;
    copy->arg = arg;
    for (int k = 0; k < bytes->n_arg; k++)
        arg[k] = k == 0 ? bytes->arg[0] : bool_of_bytes(arena, bytes->arg[k]);
    return copy;
}

const struct node *lane_bools_scalar(struct arena *arena, const struct node *node)
{
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);
    struct node *copy = ARENA_NEW(arena, struct node);

    for (int k = 0; k < node->n_child; k++)
        child[k] = lane_bools_scalar(arena, node->child[k]);
    if (node->n_child)
        return node_with_children(arena, node, child);
    if (node->kind != NODE_ASSIGN || node->target.array->type != TYPE_BOOL || node->value->type != TYPE_U8)
        return node;
    *copy = *node;
    copy->value = bool_of_bytes(arena, node->value);
    return copy;
}

const struct tree_expr *lane_bools_not(struct arena *arena, const struct tree_expr *truth)
{
    struct tree_expr *equal = ARENA_NEW(arena, struct tree_expr);

    if (truth->kind != TREE_BINARY || truth->op != OP_NE)
        return NULL;
    *equal = *truth;
    equal->op = OP_EQ;
    return equal;
}
