#include "tree/translate.h"

#include "program/expr/affine.h"

static bool from_args(struct arena *arena, const struct scope *scope, const struct expr *expr,
                      const struct affine **value)
{
    for (int k = 0; k < expr->n_arg; k++)
        if (!affine_from_expr(arena, scope, expr->arg[k], &value[k]))
            return false;
    return true;
}

static const struct affine *product(struct arena *arena, const struct affine *a, const struct affine *b)
{
    int64_t factor;

    if (affine_is_constant(a, &factor))
        return affine_scale(arena, b, factor);
    return affine_is_constant(b, &factor) ? affine_scale(arena, a, factor) : NULL;
}

static const struct affine *binary(struct arena *arena, enum expr_op op, const struct affine *const *value)
{
    int64_t divisor = 0;

    switch (op) {
    case OP_ADD:
        return affine_add(arena, value[0], value[1]);
    case OP_SUB:
        return affine_sub(arena, value[0], value[1]);
    case OP_MUL:
        return product(arena, value[0], value[1]);
    default:
        affine_is_constant(value[1], &divisor);
        return op == OP_DIV ? affine_floor(arena, value[0], divisor) : affine_mod(arena, value[0], divisor);
    }
}

/* ceil(e / d) = -floor(-e / d) */
static bool from_ceil(struct arena *arena, const struct scope *scope, const struct expr *quotient,
                      const struct affine **result)
{
    const struct affine *value[2];
    int64_t divisor = 0;

    if (!from_args(arena, scope, quotient, value))
        return false;
    affine_is_constant(value[1], &divisor);
    *result = affine_scale(arena, affine_floor(arena, affine_scale(arena, value[0], -1), divisor), -1);
    return true;
}

static bool from_call(struct arena *arena, const struct scope *scope, const struct expr *expr,
                      const struct affine **result)
{
    const struct affine *value[2] = {NULL, NULL};

    if (expr->function == FUNCTION_CEIL)
        return from_ceil(arena, scope, expr->arg[0], result);
    if (!from_args(arena, scope, expr, value))
        return false;
    switch (expr->function) {
    case FUNCTION_MIN:
        *result = affine_extreme(arena, ATOM_MIN, value, 2);
        break;
    case FUNCTION_MAX:
        *result = affine_extreme(arena, ATOM_MAX, value, 2);
        break;
    case FUNCTION_ABS:
        value[1] = affine_scale(arena, value[0], -1);
        *result = affine_extreme(arena, ATOM_MAX, value, 2);
        break;
    case FUNCTION_MOD:
        *result = binary(arena, OP_MOD, value);
        break;
    default:
        *result = value[0];
    }
    return true;
}

static bool from_operator(struct arena *arena, const struct scope *scope, const struct expr *expr,
                          const struct affine **result)
{
    const struct affine *value[2] = {NULL, NULL};

    if (expr->n_arg > 2 || !from_args(arena, scope, expr, value))
        return false;
    *result = expr->kind == EXPR_UNARY ? affine_scale(arena, value[0], -1) : binary(arena, expr->op, value);
    return true;
}

bool affine_from_expr(struct arena *arena, const struct scope *scope, const struct expr *expr,
                      const struct affine **result)
{
    const char *why;

    *result = NULL;
    if (expr_affine_obstacle(expr, &why))
        return false;
    switch (expr->kind) {
    case EXPR_INT:
        *result = affine_constant(arena, expr->integer);
        return true;
    case EXPR_PARAM:
        *result = affine_var(arena, scope->param_var[expr->param - scope->program->param]);
        return true;
    case EXPR_LOOP:
        *result = scope->loop[expr->loop];
        return true;
    case EXPR_UNARY:
    case EXPR_BINARY:
        return from_operator(arena, scope, expr, result);
    case EXPR_CALL:
        return from_call(arena, scope, expr, result);
    default:
        return false;
    }
}
