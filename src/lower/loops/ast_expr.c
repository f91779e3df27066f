#include "lower/loops/ast_expr.h"

#include "poly/number.h"
#include "program/program.h"

#include <isl/id.h>
#include <isl/val.h>

#include <stdlib.h>
#include <string.h>

/* The loop tree has no form for what isl made. */
static const struct affine *unsupported(struct conversion *conversion)
{
    conversion->lowering->failed = true;
    return NULL;
}

static const struct affine *affine_of_id(struct conversion *conversion, __isl_take isl_ast_expr *expr)
{
    const struct program *program = conversion->lowering->program;
    isl_id *id = isl_ast_expr_id_get_id(expr);
    const char *name = isl_id_get_name(id);
    const struct affine *affine = NULL;
    const int depth = name[0] == '#' ? atoi(name + 1) : 0;

    for (int k = 0; k < program->n_param && !affine; k++)
        if (strcmp(program->param[k].name, name) == 0)
            affine = affine_var(conversion->arena, conversion->lowering->param_var[k]);
    if (!affine && depth < MAX_DEPTH && conversion->var[depth])
        affine = affine_var(conversion->arena, conversion->var[depth]);
    isl_id_free(id);
    isl_ast_expr_free(expr);
    return affine ? affine : unsupported(conversion);
}

static const struct affine *affine_of_int(struct conversion *conversion, __isl_take isl_ast_expr *expr)
{
    int64_t value;
    const bool fits = poly_number(isl_ast_expr_int_get_val(expr), &value);

    isl_ast_expr_free(expr);
    return fits ? affine_constant(conversion->arena, value) : unsupported(conversion);
}

static const struct affine *product(struct conversion *conversion, const struct affine *a, const struct affine *b)
{
    int64_t factor;

    if (affine_is_constant(a, &factor))
        return affine_scale(conversion->arena, b, factor);
    if (affine_is_constant(b, &factor))
        return affine_scale(conversion->arena, a, factor);
    return unsupported(conversion);
}

static const struct affine *quotient(struct conversion *conversion, enum isl_ast_expr_op_type type,
                                     const struct affine *a, const struct affine *b)
{
    int64_t divisor;

    if (!affine_is_constant(b, &divisor) || divisor <= 0)
        return unsupported(conversion);
    if (type == isl_ast_expr_op_pdiv_r || type == isl_ast_expr_op_zdiv_r)
        return affine_mod(conversion->arena, a, divisor);
    return affine_floor(conversion->arena, a, divisor);
}

static const struct affine *extreme(struct conversion *conversion, __isl_keep isl_ast_expr *expr, enum atom_kind kind)
{
    const int n = (int)isl_ast_expr_op_get_n_arg(expr);
    const struct affine **arg = ARENA_ARRAY(conversion->arena, n, const struct affine *);

    for (int k = 0; k < n; k++)
        arg[k] = ast_affine(conversion, isl_ast_expr_op_get_arg(expr, k));
    for (int k = 0; k < n; k++)
        if (!arg[k])
            return NULL;
    return affine_extreme(conversion->arena, kind, arg, n);
}

static const struct affine *binary(struct conversion *conversion, __isl_keep isl_ast_expr *expr,
                                   enum isl_ast_expr_op_type type)
{
    struct arena *arena = conversion->arena;
    const struct affine *a = ast_affine(conversion, isl_ast_expr_op_get_arg(expr, 0));
    const struct affine *b = ast_affine(conversion, isl_ast_expr_op_get_arg(expr, 1));

    if (!a || !b)
        return NULL;
    switch (type) {
    case isl_ast_expr_op_add:
        return affine_add(arena, a, b);
    case isl_ast_expr_op_sub:
        return affine_sub(arena, a, b);
    case isl_ast_expr_op_mul:
        return product(conversion, a, b);
    default:
        return quotient(conversion, type, a, b);
    }
}

static const struct affine *affine_of_op(struct conversion *conversion, __isl_take isl_ast_expr *expr)
{
    const enum isl_ast_expr_op_type type = isl_ast_expr_op_get_type(expr);
    const struct affine *affine;

    switch (type) {
    case isl_ast_expr_op_max:
        affine = extreme(conversion, expr, ATOM_MAX);
        break;
    case isl_ast_expr_op_min:
        affine = extreme(conversion, expr, ATOM_MIN);
        break;
    case isl_ast_expr_op_minus:
        affine = ast_affine(conversion, isl_ast_expr_op_get_arg(expr, 0));
        affine = affine ? affine_scale(conversion->arena, affine, -1) : NULL;
        break;
    case isl_ast_expr_op_add:
    case isl_ast_expr_op_sub:
    case isl_ast_expr_op_mul:
    case isl_ast_expr_op_div:
    case isl_ast_expr_op_fdiv_q:
    case isl_ast_expr_op_pdiv_q:
    case isl_ast_expr_op_pdiv_r:
    case isl_ast_expr_op_zdiv_r:
        affine = binary(conversion, expr, type);
        break;
    default:
        affine = unsupported(conversion);
    }
    isl_ast_expr_free(expr);
    return affine;
}

const struct affine *ast_affine(struct conversion *conversion, __isl_take isl_ast_expr *expr)
{
    switch (isl_ast_expr_get_type(expr)) {
    case isl_ast_expr_id:
        return affine_of_id(conversion, expr);
    case isl_ast_expr_int:
        return affine_of_int(conversion, expr);
    case isl_ast_expr_op:
        return affine_of_op(conversion, expr);
    default:
        isl_ast_expr_free(expr);
        return unsupported(conversion);
    }
}

static guards single(struct conversion *conversion, const struct affine *affine, bool equal)
{
    struct condition *condition = ARENA_NEW(conversion->arena, struct condition);
    guards result = {0};

    condition->affine = affine;
    condition->equal = equal;
    VEC_PUSH(conversion->arena, &result, ((struct guard){condition, 1}));
    return result;
}

static struct guard both(struct conversion *conversion, struct guard a, struct guard b)
{
    struct condition *condition = ARENA_ARRAY(conversion->arena, a.n + b.n, struct condition);

    memcpy(condition, a.condition, (size_t)a.n * sizeof(*condition));
    memcpy(condition + a.n, b.condition, (size_t)b.n * sizeof(*condition));
    return (struct guard){condition, a.n + b.n};
}

static guards conjunction(struct conversion *conversion, guards a, guards b)
{
    guards result = {0};

    for (int i = 0; i < a.n; i++)
        for (int j = 0; j < b.n; j++)
            VEC_PUSH(conversion->arena, &result, both(conversion, a.at[i], b.at[j]));
    return result;
}

static guards disjunction(struct conversion *conversion, guards a, guards b)
{
    for (int k = 0; k < b.n; k++)
        VEC_PUSH(conversion->arena, &a, b.at[k]);
    return a;
}

static guards comparison(struct conversion *conversion, __isl_keep isl_ast_expr *expr, enum isl_ast_expr_op_type type)
{
    struct arena *arena = conversion->arena;
    const struct affine *a = ast_affine(conversion, isl_ast_expr_op_get_arg(expr, 0));
    const struct affine *b = ast_affine(conversion, isl_ast_expr_op_get_arg(expr, 1));
    const struct affine *difference;

    if (!a || !b)
        return (guards){0};
    if (type == isl_ast_expr_op_ge || type == isl_ast_expr_op_gt || type == isl_ast_expr_op_eq)
        difference = affine_sub(arena, a, b);
    else
        difference = affine_sub(arena, b, a);
    if (type == isl_ast_expr_op_gt || type == isl_ast_expr_op_lt)
        difference = affine_add_constant(arena, difference, -1);
    return single(conversion, difference, type == isl_ast_expr_op_eq);
}

/* isl says 1 for what always holds: 0 >= 0, and 0 for what never does: -1 >= 0. */
static guards literal(struct conversion *conversion, __isl_keep isl_ast_expr *expr)
{
    isl_val *value = isl_ast_expr_int_get_val(expr);
    const bool holds = isl_val_is_zero(value) == isl_bool_false;

    isl_val_free(value);
    return single(conversion, affine_constant(conversion->arena, holds ? 0 : -1), false);
}

guards ast_conditions(struct conversion *conversion, __isl_take isl_ast_expr *expr)
{
    const enum isl_ast_expr_op_type type =
        isl_ast_expr_get_type(expr) == isl_ast_expr_op ? isl_ast_expr_op_get_type(expr) : isl_ast_expr_op_error;
    guards result = {0};

    switch (type) {
    case isl_ast_expr_op_and:
    case isl_ast_expr_op_and_then:
        result = conjunction(conversion, ast_conditions(conversion, isl_ast_expr_op_get_arg(expr, 0)),
                             ast_conditions(conversion, isl_ast_expr_op_get_arg(expr, 1)));
        break;
    case isl_ast_expr_op_or:
    case isl_ast_expr_op_or_else:
        result = disjunction(conversion, ast_conditions(conversion, isl_ast_expr_op_get_arg(expr, 0)),
                             ast_conditions(conversion, isl_ast_expr_op_get_arg(expr, 1)));
        break;
    case isl_ast_expr_op_eq:
    case isl_ast_expr_op_le:
    case isl_ast_expr_op_lt:
    case isl_ast_expr_op_ge:
    case isl_ast_expr_op_gt:
        result = comparison(conversion, expr, type);
        break;
    default:
        if (isl_ast_expr_get_type(expr) == isl_ast_expr_int)
            result = literal(conversion, expr);
        else
            unsupported(conversion);
    }
    isl_ast_expr_free(expr);
    return result;
}

/* What holds when the condition does not. */
static guards negation_of(struct conversion *conversion, const struct condition *condition)
{
    struct arena *arena = conversion->arena;
    const struct affine *below = affine_add_constant(arena, affine_scale(arena, condition->affine, -1), -1);
    guards result = single(conversion, below, false);

    if (!condition->equal)
        return result;
    return disjunction(conversion, result,
                       single(conversion, affine_add_constant(arena, condition->affine, -1), false));
}

guards ast_otherwise(struct conversion *conversion, guards alternatives)
{
    guards result = {0};

    for (int k = 0; k < alternatives.n; k++) {
        guards none = {0};
        for (int c = 0; c < alternatives.at[k].n; c++)
            none = disjunction(conversion, none, negation_of(conversion, &alternatives.at[k].condition[c]));
        result = k == 0 ? none : conjunction(conversion, result, none);
    }
    return result;
}
