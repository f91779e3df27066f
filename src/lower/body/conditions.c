#include "lower/body/conditions.h"

#include "lower/body/bodies.h"
#include "tree/translate.h"

const struct tree_expr *condition_expr(const struct lowering *lowering, const struct expr *condition)
{
    return body_condition(lowering->arena, lowering->program, lowering->param_var, condition);
}

/* / and % of values are C's, those of affine expressions round down. */
static bool divides(const struct expr *expr)
{
    bool does = expr->kind == EXPR_BINARY && (expr->op == OP_DIV || expr->op == OP_MOD);

    for (int k = 0; k < expr->n_arg && !does; k++)
        does = divides(expr->arg[k]);
    return does;
}

/* Are parameters taken for what they are, and not converted? */
static bool is_exact(const struct expr *expr)
{
    bool exact = expr->kind != EXPR_CAST && (expr->kind != EXPR_PARAM || expr->type == TYPE_I64 ||
                                             expr->type == TYPE_NONE || expr->type == expr->param->type);

    for (int k = 0; k < expr->n_arg && exact; k++)
        exact = is_exact(expr->arg[k]);
    return exact;
}

/* Is expr `e % d`, of which only the remainder 0 is the same for both? */
static bool is_remainder(const struct expr *expr)
{
    return expr->kind == EXPR_BINARY && expr->op == OP_MOD && !divides(expr->arg[0]) && !divides(expr->arg[1]);
}

static bool is_zero(const struct expr *expr)
{
    return expr->kind == EXPR_INT && expr->integer == 0;
}

/* a - b of a comparison's sides, where both are affine and exact. */
static const struct affine *difference(const struct facts *facts, const struct expr *comparison)
{
    const struct lowering *lowering = facts->lowering;
    const struct scope parameters = {lowering->program, lowering->param_var, NULL};
    const struct expr *const a = comparison->arg[0], *const b = comparison->arg[1];
    const bool remains = comparison->op == OP_EQ && is_remainder(a) && is_zero(b);
    const struct affine *side[2];

    if (!is_exact(a) || !is_exact(b) || (!remains && (divides(a) || divides(b))) ||
        !affine_from_expr(lowering->arena, &parameters, a, &side[0]) ||
        !affine_from_expr(lowering->arena, &parameters, b, &side[1]))
        return NULL;
    return affine_sub(lowering->arena, side[0], side[1]);
}

void condition_assume(struct facts *facts, const struct expr *condition)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *apart;

    if (condition->kind != EXPR_BINARY)
        return;
    if (condition->op == OP_LAND) {
        condition_assume(facts, condition->arg[0]);
        condition_assume(facts, condition->arg[1]);
        return;
    }
    apart = condition->op >= OP_LT && condition->op <= OP_EQ ? difference(facts, condition) : NULL;
    if (!apart)
        return;
    if (condition->op == OP_EQ) {
        facts_assume_zero(facts, apart);
        return;
    }
    const bool less = condition->op == OP_LT || condition->op == OP_LE;
    const bool strict = condition->op == OP_LT || condition->op == OP_GT;
    apart = affine_add_constant(arena, affine_scale(arena, apart, less ? -1 : 1), strict ? -1 : 0);
    if (apart)
        facts_assume(facts, apart);
}
