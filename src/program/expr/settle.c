#include "program/expr/settle.h"

#include "program/expr/literal.h"

struct expr *typing_copy(struct typing *typing, const struct expr *expr, enum type type)
{
    struct expr *same = ARENA_NEW(typing->arena, struct expr);

    *same = *expr;
    same->type = type;
    same->arg = ARENA_ARRAY(typing->arena, expr->n_arg, struct expr *);
    for (int k = 0; k < expr->n_arg; k++)
        same->arg[k] = expr->arg[k];
    return same;
}

struct expr *typing_convert(struct typing *typing, struct expr *expr, enum type type)
{
    struct expr *cast;

    if (!expr || expr->type == type)
        return expr;
    cast = ARENA_NEW(typing->arena, struct expr);
    cast->kind = EXPR_CAST;
    cast->type = type;
    cast->implicit = true;
    cast->place = expr->place;
    cast->arg = ARENA_ARRAY(typing->arena, 1, struct expr *);
    cast->arg[0] = expr;
    cast->n_arg = 1;
    return cast;
}

bool expr_is_flexible(const struct expr *expr)
{
    return expr->type == TYPE_NONE;
}

bool expr_is_real(const struct expr *expr)
{
    return expr->kind == EXPR_REAL || (expr->kind == EXPR_SELECT && expr_is_flexible(expr) &&
                                       (expr_is_real(expr->arg[1]) || expr_is_real(expr->arg[2])));
}

bool expr_is_literal(const struct expr *expr)
{
    return expr->kind == EXPR_INT || expr->kind == EXPR_LONG || expr->kind == EXPR_REAL;
}

static struct expr *settle_arms(struct typing *typing, const struct expr *select, enum type type)
{
    struct expr *settled = typing_copy(typing, select, type);

    for (int k = 1; k < 3; k++) {
        settled->arg[k] = settle(typing, select->arg[k], type);
        if (!settled->arg[k])
            return NULL;
    }
    return settled;
}

struct expr *settle(struct typing *typing, const struct expr *expr, enum type type)
{
    struct expr *settled;

    if (expr->kind == EXPR_REAL && !type_is_float(type)) {
        diag_hint(typing->diags,
                  diag_error(typing->diags, "type", expr->place, "the real literal %s stands beside an integer (%s)",
                             expr->spelling, type_name(type)),
                  "say what is meant with a cast, such as f64(x) or %s(%s)", type_name(type), expr->spelling);
        return NULL;
    }
    if (expr_is_literal(expr))
        return literal_settle(typing->arena, typing->diags, expr, type);
    if (expr->kind == EXPR_PARAM || expr->kind == EXPR_LOOP)
        return typing_copy(typing, expr, type);
    if (expr->kind == EXPR_SELECT)
        return settle_arms(typing, expr, type);
    settled = typing_copy(typing, expr, TYPE_I64);
    for (int k = 0; k < expr->n_arg; k++) {
        if (expr_is_flexible(expr->arg[k]))
            settled->arg[k] = settle(typing, expr->arg[k], TYPE_I64);
        if (!settled->arg[k])
            return NULL;
    }
    return typing_convert(typing, settled, type);
}

struct expr *settle_alone(struct typing *typing, struct expr *expr)
{
    if (!expr_is_flexible(expr))
        return expr;
    return settle(typing, expr, expr_is_real(expr) ? TYPE_F64 : TYPE_I64);
}

struct expr *settle_operand(struct typing *typing, struct expr *expr)
{
    expr = settle_alone(typing, expr);
    return expr ? typing_convert(typing, expr, type_promote(expr->type)) : NULL;
}
