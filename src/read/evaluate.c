#include "read/evaluate.h"

static bool no_integer(struct diags *diags, const struct expr *expr)
{
    diag_error(diags, "tunable", expr->place, "this is no integer, or too large");
    return false;
}

static bool divide(struct diags *diags, const struct expr *expr, int64_t a, int64_t b, int64_t *result)
{
    const int64_t rest = b > 0 ? (a % b + b) % b : 0;

    if (b <= 0) {
        diag_error(diags, "tunable", expr->place, "the divisor is %lld: it must be positive", (long long)b);
        return false;
    }
    *result = expr->op == OP_MOD ? rest : (a - rest) / b;
    return true;
}

static bool binary(struct diags *diags, const struct expr *expr, int64_t a, int64_t b, int64_t *result)
{
    switch (expr->op) {
    case OP_ADD:
        return !__builtin_add_overflow(a, b, result) || no_integer(diags, expr);
    case OP_SUB:
        return !__builtin_sub_overflow(a, b, result) || no_integer(diags, expr);
    case OP_MUL:
        return !__builtin_mul_overflow(a, b, result) || no_integer(diags, expr);
    case OP_DIV:
    case OP_MOD:
        return divide(diags, expr, a, b, result);
    case OP_LT:
        *result = a < b;
        return true;
    case OP_LE:
        *result = a <= b;
        return true;
    case OP_GT:
        *result = a > b;
        return true;
    case OP_GE:
        *result = a >= b;
        return true;
    case OP_EQ:
        *result = a == b;
        return true;
    case OP_NE:
        *result = a != b;
        return true;
    case OP_LAND:
        *result = a && b;
        return true;
    case OP_LOR:
        *result = a || b;
        return true;
    default:
        return no_integer(diags, expr);
    }
}

static bool unary(struct diags *diags, const struct expr *expr, int64_t a, int64_t *result)
{
    if (expr->op == OP_NEG)
        return !__builtin_sub_overflow((int64_t)0, a, result) || no_integer(diags, expr);
    *result = !a;
    return expr->op == OP_LNOT || no_integer(diags, expr);
}

static bool call(struct diags *diags, const struct expr *expr, int64_t a, int64_t b, int64_t *result)
{
    *result = expr->function == FUNCTION_MIN ? (a < b ? a : b) : a < b ? b : a;
    return expr->function == FUNCTION_MIN || expr->function == FUNCTION_MAX || no_integer(diags, expr);
}

static bool leaf(struct diags *diags, const struct expr *expr, const struct value *const *chosen, int64_t *result)
{
    if (expr->kind == EXPR_INT)
        *result = expr->integer;
    else if (expr->kind == EXPR_LOOP && chosen[expr->loop]->kind == VALUE_INT)
        *result = chosen[expr->loop]->integer;
    else
        return no_integer(diags, expr);
    return true;
}

bool evaluate_integer(struct diags *diags, const struct expr *expr, const struct value *const *chosen, int64_t *result)
{
    int64_t value[3] = {0};

    if (expr->n_arg > 3)
        return no_integer(diags, expr);
    for (int k = 0; k < expr->n_arg; k++)
        if (!evaluate_integer(diags, expr->arg[k], chosen, &value[k]))
            return false;
    switch (expr->kind) {
    case EXPR_UNARY:
        return unary(diags, expr, value[0], result);
    case EXPR_BINARY:
        return binary(diags, expr, value[0], value[1], result);
    case EXPR_SELECT:
        *result = value[0] ? value[1] : value[2];
        return true;
    case EXPR_CALL:
        return call(diags, expr, value[0], value[1], result);
    default:
        return leaf(diags, expr, chosen, result);
    }
}
