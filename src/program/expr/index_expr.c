#include "program/expr/index_expr.h"

#include "poly/number.h"

#include <isl/val.h>

static struct expr *new_expr(struct arena *arena, enum expr_kind kind)
{
    struct expr *expr = ARENA_NEW(arena, struct expr);

    expr->kind = kind;
    return expr;
}

struct expr *index_constant(struct arena *arena, int64_t value)
{
    struct expr *expr = new_expr(arena, EXPR_INT);

    expr->integer = value;
    return expr;
}

static int64_t folded(int64_t a, enum expr_op op, int64_t b)
{
    const int64_t quotient = a / b - (a % b < 0);

    return op == OP_ADD ? a + b : op == OP_DIV ? quotient : a - quotient * b;
}

struct expr *index_binary(struct arena *arena, struct expr *expr, enum expr_op op, int64_t value)
{
    struct expr *result = ARENA_NEW(arena, struct expr);

    if (op == OP_DIV && value == 1)
        return expr;
    if (expr->kind == EXPR_INT)
        return index_constant(arena, folded(expr->integer, op, value));
    result->kind = EXPR_BINARY;
    result->op = op;
    result->arg = ARENA_ARRAY(arena, 2, struct expr *);
    result->arg[0] = expr;
    result->arg[1] = index_constant(arena, value);
    result->n_arg = 2;
    return result;
}

static struct expr *binary(struct arena *arena, enum expr_op op, struct expr *a, struct expr *b)
{
    struct expr *expr = new_expr(arena, EXPR_BINARY);

    if (!a || !b)
        return NULL;
    expr->op = op;
    expr->arg = ARENA_ARRAY(arena, 2, struct expr *);
    expr->arg[0] = a;
    expr->arg[1] = b;
    expr->n_arg = 2;
    return expr;
}

struct expr *index_expr_difference(struct arena *arena, struct expr *a, struct expr *b)
{
    return b && b->kind == EXPR_INT && b->integer == 0 ? a : binary(arena, OP_SUB, a, b);
}

static struct expr *of_aff(struct arena *arena, const struct program *program, __isl_keep isl_aff *aff);

/* floor(numerator / denominator) */
static struct expr *of_div(struct arena *arena, const struct program *program, __isl_keep isl_aff *aff, int position)
{
    isl_aff *div = isl_aff_get_div(aff, position);
    isl_val *denominator = isl_aff_get_denominator_val(div);
    struct expr *numerator;
    int64_t divisor;

    div = isl_aff_scale_val(div, isl_val_copy(denominator));
    numerator = poly_number(denominator, &divisor) ? of_aff(arena, program, div) : NULL;
    isl_aff_free(div);
    return numerator ? binary(arena, OP_DIV, numerator, index_constant(arena, divisor)) : NULL;
}

static struct expr *atom(struct arena *arena, const struct program *program, __isl_keep isl_aff *aff,
                         enum isl_dim_type type, int position)
{
    struct expr *expr;

    if (type == isl_dim_div)
        return of_div(arena, program, aff, position);
    expr = new_expr(arena, type == isl_dim_param ? EXPR_PARAM : EXPR_LOOP);
    if (type == isl_dim_param)
        expr->param = &program->param[position];
    else
        expr->loop = position;
    return expr;
}

/* sum + factor * term as one would write it; sum NULL: nothing yet. */
static struct expr *plus(struct arena *arena, struct expr *sum, int64_t factor, struct expr *term)
{
    const bool minus = sum && factor < 0;
    const int64_t size = minus ? -factor : factor;

    if (size != 1)
        term = binary(arena, OP_MUL, index_constant(arena, size), term);
    return sum ? binary(arena, minus ? OP_SUB : OP_ADD, sum, term) : term;
}

static struct expr *plus_constant(struct arena *arena, struct expr *sum, int64_t value)
{
    if (!sum)
        return index_constant(arena, value);
    if (value == 0)
        return sum;
    return binary(arena, value < 0 ? OP_SUB : OP_ADD, sum, index_constant(arena, value < 0 ? -value : value));
}

static struct expr *of_aff(struct arena *arena, const struct program *program, __isl_keep isl_aff *aff)
{
    static const enum isl_dim_type types[] = {isl_dim_in, isl_dim_param, isl_dim_div};
    struct expr *sum = NULL, *term;
    int64_t factor;

    for (int t = 0; t < 3; t++)
        for (int k = 0; k < (int)isl_aff_dim(aff, types[t]); k++) {
            if (!poly_number(isl_aff_get_coefficient_val(aff, types[t], k), &factor))
                return NULL;
            if (factor == 0)
                continue;
            term = atom(arena, program, aff, types[t], k);
            if (!term)
                return NULL;
            sum = plus(arena, sum, factor, term);
        }
    if (!poly_number(isl_aff_get_constant_val(aff), &factor))
        return NULL;
    return plus_constant(arena, sum, factor);
}

struct expr *index_expr_of(struct arena *arena, const struct program *program, __isl_take isl_pw_aff *index)
{
    struct expr *expr = NULL;
    isl_aff *aff;

    if (isl_pw_aff_isa_aff(index) == isl_bool_true) {
        aff = isl_pw_aff_as_aff(isl_pw_aff_copy(index));
        expr = of_aff(arena, program, aff);
        isl_aff_free(aff);
    }
    isl_pw_aff_free(index);
    return expr;
}

struct expr *index_expr_of_integer(struct arena *arena, const struct program *program, __isl_take isl_pw_aff *index)
{
    isl_aff *aff = isl_pw_aff_isa_aff(index) == isl_bool_true ? isl_pw_aff_as_aff(isl_pw_aff_copy(index)) : NULL;
    isl_val *denominator = isl_aff_get_denominator_val(aff);
    struct expr *expr = NULL;
    int64_t divisor;

    aff = isl_aff_scale_val(aff, isl_val_copy(denominator));
    if (poly_number(denominator, &divisor) && aff)
        expr = of_aff(arena, program, aff);
    isl_aff_free(aff);
    isl_pw_aff_free(index);
    return expr ? index_binary(arena, expr, OP_DIV, divisor) : NULL;
}
