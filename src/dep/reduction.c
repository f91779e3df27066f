/* Recognising reductions: updates of one element by one associative and commutative operator. */
#include "dep/dependence.h"

#include "program/permit.h"

static bool same_expr(const struct expr *a, const struct expr *b)
{
    if (a->kind != b->kind || a->type != b->type || a->n_arg != b->n_arg || a->op != b->op ||
        a->integer != b->integer || a->loop != b->loop || a->param != b->param || a->scalar != b->scalar ||
        a->array != b->array || (a->kind == EXPR_CALL && a->function != b->function))
        return false;
    for (int k = 0; k < a->n_arg; k++)
        if (!same_expr(a->arg[k], b->arg[k]))
            return false;
    return true;
}

/* - x is + (-x); what was written as a subtraction updates a sum. */
static enum expr_op group(enum expr_op op)
{
    return op == OP_SUB ? OP_ADD : op;
}

static bool reducing(enum expr_op op)
{
    return op == OP_SUB || op_is_reduction(op);
}

/* On bool, + is "or" and - is "exclusive or": they do not mix, and - is none of the operators here. */
static bool commutes_with_its_kind(const struct statement *statement, enum expr_op op)
{
    return op != OP_SUB || statement->target->array->type != TYPE_BOOL;
}

static bool call_operator(const struct expr *expr, enum expr_op *op)
{
    if (expr->kind != EXPR_CALL || (expr->function != FUNCTION_MIN && expr->function != FUNCTION_MAX))
        return false;
    *op = expr->function == FUNCTION_MIN ? OP_MIN : OP_MAX;
    return true;
}

/* Without the conversion of target's type to the one that computing is done in, where the result is the same modulo 2^n
 * or rounded to target's type by each update as in x op= e. */
static const struct expr *unwidened(const struct expr *target, const struct expr *expr)
{
    const bool half = target->type == TYPE_F16 || target->type == TYPE_BF16;
    const bool integers = !type_is_float(target->type) && target->type != TYPE_BOOL && !type_is_float(expr->type);

    if (expr->kind != EXPR_CAST || !expr->implicit || expr->arg[0]->type != target->type)
        return expr;
    return integers || (half && expr->type == TYPE_F32) ? expr->arg[0] : expr;
}

/* e of x = x op e, x = e op x (not for -), x = min(x, e) and so on; a cast back to x's type may be around. NULL: it is
 * none of them. */
static struct expr *spelled_out(const struct expr *target, const struct expr *value, enum expr_op *op)
{
    if (value->kind == EXPR_CAST && value->type == target->type)
        value = value->arg[0];
    if (value->kind == EXPR_BINARY && reducing(value->op))
        *op = value->op;
    else if (!call_operator(value, op))
        return NULL;
    if (same_expr(target, unwidened(target, value->arg[0])))
        return value->arg[1];
    return *op != OP_SUB && same_expr(target, unwidened(target, value->arg[1])) ? value->arg[0] : NULL;
}

bool statement_is_update(const struct statement *statement, enum expr_op *op)
{
    if (statement->op == OP_NONE) {
        if (!spelled_out(statement->target, statement->value, op))
            return false;
    } else {
        *op = statement->op;
    }
    if (!commutes_with_its_kind(statement, *op))
        return false;
    *op = group(*op);
    return reducing(*op);
}

bool statement_is_long_sum(const struct statement *statement)
{
    const struct expr *value = statement->value;
    int n = 0;

    if (statement->op != OP_NONE)
        return false;
    for (; value->kind == EXPR_BINARY && (value->op == OP_ADD || value->op == OP_SUB); n++)
        value = value->arg[0];
    return n > 1 && same_expr(statement->target, unwidened(statement->target, value));
}

/* Are all values of expr's type, before what converts it implicitly, integers of the given type? */
static bool is_within(const struct expr *expr, enum type type)
{
    if (expr->kind == EXPR_CAST && expr->implicit)
        expr = expr->arg[0];
    if (expr->kind == EXPR_INT && expr->integer >= 0 && expr->integer <= INT8_MAX)
        return true;
    if (type_is_signed(expr->type) == type_is_signed(type))
        return type_bits(expr->type) <= type_bits(type);
    return type_is_signed(type) && type_bits(expr->type) < type_bits(type);
}

bool update_converts(const struct statement *statement, enum expr_op op)
{
    const enum type type = statement->target->array->type;
    const struct expr *value = statement->value;

    if (type_is_float(type) || !op_is_extreme(op))
        return false;
    if (statement->op != OP_NONE)
        return !is_within(value, type);
    if (value->kind == EXPR_CAST)
        value = value->arg[0];
    for (int k = 0; k < value->n_arg; k++)
        if (!is_within(value->arg[k], type))
            return true;
    return false;
}

bool update_order_is_free(const struct program *program, const struct statement *statement, enum expr_op op)
{
    if (!type_is_float(statement->target->array->type))
        return op_is_reduction(op) && !update_converts(statement, op);
    return (statement_permit(program, statement) & PERMIT_REASSOCIATE) != 0;
}

bool update_shorten(const struct program *program, struct statement *statement)
{
    enum expr_op op, group;
    struct expr *value = statement->op == OP_NONE ? spelled_out(statement->target, statement->value, &op) : NULL;

    if (!value || !statement_is_update(statement, &group) || !update_order_is_free(program, statement, group))
        return false;
    statement->op = op;
    statement->value = value;
    return true;
}
