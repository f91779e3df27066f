#include "program/expr/affine.h"

#include "poly/number.h"
#include "program/program.h"

#include <isl/local_space.h>
#include <isl/val.h>
#include <limits.h>

static bool constant_binary(enum expr_op op, int64_t a, int64_t b, int64_t *value)
{
    switch (op) {
    case OP_ADD:
        return !__builtin_add_overflow(a, b, value);
    case OP_SUB:
        return !__builtin_sub_overflow(a, b, value);
    case OP_MUL:
        return !__builtin_mul_overflow(a, b, value);
    case OP_DIV:
        if (b <= 0)
            return false;
        *value = a / b - (a % b < 0);
        return true;
    case OP_MOD:
        if (b <= 0)
            return false;
        *value = a % b + (a % b < 0 ? b : 0);
        return true;
    default:
        return false;
    }
}

bool expr_constant(const struct expr *expr, int64_t *value)
{
    int64_t a, b;

    if (expr->kind == EXPR_INT) {
        *value = expr->integer;
        return true;
    }
    if (expr->kind == EXPR_UNARY && expr->op == OP_NEG)
        return expr_constant(expr->arg[0], &a) && !__builtin_sub_overflow((int64_t)0, a, value);
    if (expr->kind == EXPR_BINARY)
        return expr_constant(expr->arg[0], &a) && expr_constant(expr->arg[1], &b) &&
               constant_binary(expr->op, a, b, value);
    return false;
}

/* Far from the ends of 64 bits, so that sums of a few such terms do not overflow. */
static bool is_moderate(int64_t value)
{
    return value <= (int64_t)1 << 53 && value >= -((int64_t)1 << 53);
}

static const struct expr *too_large(const struct expr *expr, const char **why)
{
    *why = "a constant in it exceeds 2^53";
    return expr;
}

static const struct expr *args_obstacle(const struct expr *expr, const char **why)
{
    const struct expr *obstacle = NULL;

    for (int k = 0; k < expr->n_arg && !obstacle; k++)
        obstacle = expr_affine_obstacle(expr->arg[k], why);
    return obstacle;
}

static const struct expr *divisor_obstacle(const struct expr *divisor, const char **why)
{
    int64_t value;

    if (expr_constant(divisor, &value) && value > 0)
        return is_moderate(value) ? NULL : too_large(divisor, why);
    *why = "the divisor is not a positive constant";
    return divisor;
}

static const struct expr *binary_obstacle(const struct expr *expr, const char **why)
{
    int64_t value;

    switch (expr->op) {
    case OP_ADD:
    case OP_SUB:
        return args_obstacle(expr, why);
    case OP_MUL:
        if (expr_constant(expr->arg[0], &value) || expr_constant(expr->arg[1], &value))
            return is_moderate(value) ? args_obstacle(expr, why) : too_large(expr, why);
        *why = "neither factor is a constant";
        return expr;
    case OP_DIV:
    case OP_MOD: {
        const struct expr *obstacle = divisor_obstacle(expr->arg[1], why);

        return obstacle ? obstacle : expr_affine_obstacle(expr->arg[0], why);
    }
    default:
        *why = "only + - * / % are affine";
        return expr;
    }
}

static bool is_division(const struct expr *expr)
{
    return expr->kind == EXPR_BINARY && expr->op == OP_DIV;
}

static const struct expr *call_obstacle(const struct expr *expr, const char **why)
{
    const struct expr *obstacle = NULL;

    switch (expr->function) {
    case FUNCTION_CEIL:
        if (is_division(expr->arg[0]))
            return args_obstacle(expr, why);
        *why = "ceil takes a quotient here";
        return expr;
    case FUNCTION_MOD:
        obstacle = divisor_obstacle(expr->arg[1], why);
        return obstacle ? obstacle : expr_affine_obstacle(expr->arg[0], why);
    case FUNCTION_FLOOR:
    case FUNCTION_MIN:
    case FUNCTION_MAX:
    case FUNCTION_ABS:
        return args_obstacle(expr, why);
    default:
        *why = "only min, max, abs, floor, ceil and mod are affine";
        return expr;
    }
}

static const struct expr *select_obstacle(const struct expr *expr, const char **why)
{
    const struct expr *obstacle = expr_condition_obstacle(expr->arg[0], why);

    for (int k = 1; k < 3 && !obstacle; k++)
        obstacle = expr_affine_obstacle(expr->arg[k], why);
    return obstacle;
}

const struct expr *expr_affine_obstacle(const struct expr *expr, const char **why)
{
    switch (expr->kind) {
    case EXPR_INT:
        return is_moderate(expr->integer) ? NULL : too_large(expr, why);
    case EXPR_PARAM:
    case EXPR_LOOP:
        return NULL;
    case EXPR_BINARY:
        return binary_obstacle(expr, why);
    case EXPR_CALL:
        return call_obstacle(expr, why);
    case EXPR_SELECT:
        return select_obstacle(expr, why);
    case EXPR_UNARY:
        if (expr->op == OP_NEG)
            return expr_affine_obstacle(expr->arg[0], why);
        break;
    default:
        break;
    }
    *why = expr->kind == EXPR_ACCESS   ? "it reads an array"
           : expr->kind == EXPR_SCALAR ? "it reads a scalar"
           : expr->kind == EXPR_REAL   ? "it is not an integer"
           : expr->kind == EXPR_LONG   ? "it is larger than all of i64"
           : expr->kind == EXPR_CAST   ? "it is a conversion"
                                       : "it is a logical or bit operation";
    return expr;
}

static bool is_comparison(enum expr_op op)
{
    return op >= OP_LT && op <= OP_NE;
}

static const struct expr *both_obstacle(const struct expr *expr, const char **why)
{
    const struct expr *obstacle = expr_condition_obstacle(expr->arg[0], why);

    return obstacle ? obstacle : expr_condition_obstacle(expr->arg[1], why);
}

const struct expr *expr_condition_obstacle(const struct expr *expr, const char **why)
{
    if (expr->kind == EXPR_UNARY && expr->op == OP_LNOT)
        return expr_condition_obstacle(expr->arg[0], why);
    if (expr->kind == EXPR_BINARY && is_comparison(expr->op))
        return args_obstacle(expr, why);
    if (expr->kind == EXPR_BINARY && (expr->op == OP_LAND || expr->op == OP_LOR))
        return both_obstacle(expr, why);
    *why = "it is not a comparison";
    return expr;
}

static __isl_give isl_pw_aff *constant_pw_aff(__isl_keep isl_space *space, int64_t value)
{
    isl_local_space *local = isl_local_space_from_space(isl_space_copy(space));
    isl_val *val = isl_val_int_from_si(isl_space_get_ctx(space), (long)value);

    return isl_pw_aff_from_aff(isl_aff_val_on_domain(local, val));
}

static __isl_give isl_pw_aff *var_pw_aff(__isl_keep isl_space *space, enum isl_dim_type type, int pos)
{
    isl_local_space *local = isl_local_space_from_space(isl_space_copy(space));

    return isl_pw_aff_from_aff(isl_aff_var_on_domain(local, type, (unsigned)pos));
}

static __isl_give isl_pw_aff *param_pw_aff(__isl_keep isl_space *space, const struct param *param)
{
    return var_pw_aff(space, isl_dim_param, isl_space_find_dim_by_name(space, isl_dim_param, param->name));
}

static __isl_give isl_pw_aff *floor_pw_aff(__isl_take isl_pw_aff *a, int64_t divisor, bool up)
{
    isl_val *val = isl_val_int_from_si(isl_pw_aff_get_ctx(a), (long)divisor);

    a = isl_pw_aff_scale_down_val(a, val);
    return up ? isl_pw_aff_ceil(a) : isl_pw_aff_floor(a);
}

static __isl_give isl_pw_aff *divide(__isl_keep isl_space *space, const struct expr *const *arg, bool up)
{
    int64_t divisor = 1;

    expr_constant(arg[1], &divisor);
    return floor_pw_aff(expr_pw_aff(space, arg[0]), divisor, up);
}

static __isl_give isl_pw_aff *modulo(__isl_keep isl_space *space, const struct expr *const *arg)
{
    int64_t divisor = 1;

    expr_constant(arg[1], &divisor);
    return isl_pw_aff_mod_val(expr_pw_aff(space, arg[0]), isl_val_int_from_si(isl_space_get_ctx(space), (long)divisor));
}

static __isl_give isl_pw_aff *binary_pw_aff(__isl_keep isl_space *space, const struct expr *expr)
{
    const struct expr *const *arg = (const struct expr *const *)expr->arg;

    switch (expr->op) {
    case OP_ADD:
        return isl_pw_aff_add(expr_pw_aff(space, arg[0]), expr_pw_aff(space, arg[1]));
    case OP_SUB:
        return isl_pw_aff_sub(expr_pw_aff(space, arg[0]), expr_pw_aff(space, arg[1]));
    case OP_MUL:
        return isl_pw_aff_mul(expr_pw_aff(space, arg[0]), expr_pw_aff(space, arg[1]));
    case OP_DIV:
        return divide(space, arg, false);
    case OP_MOD:
        return modulo(space, arg);
    default:
        return NULL;
    }
}

static __isl_give isl_pw_aff *call_pw_aff(__isl_keep isl_space *space, const struct expr *expr)
{
    const struct expr *const *arg = (const struct expr *const *)expr->arg;
    isl_pw_aff *a, *b;

    switch (expr->function) {
    case FUNCTION_MIN:
        return isl_pw_aff_min(expr_pw_aff(space, arg[0]), expr_pw_aff(space, arg[1]));
    case FUNCTION_MAX:
        return isl_pw_aff_max(expr_pw_aff(space, arg[0]), expr_pw_aff(space, arg[1]));
    case FUNCTION_ABS:
        a = expr_pw_aff(space, arg[0]);
        b = isl_pw_aff_neg(isl_pw_aff_copy(a));
        return isl_pw_aff_max(a, b);
    case FUNCTION_FLOOR:
        return expr_pw_aff(space, arg[0]);
    case FUNCTION_CEIL:
        return divide(space, (const struct expr *const *)arg[0]->arg, true);
    case FUNCTION_MOD:
        return modulo(space, arg);
    default:
        return NULL;
    }
}

static __isl_give isl_pw_aff *select_pw_aff(__isl_keep isl_space *space, const struct expr *expr)
{
    isl_set *yes = expr_set(space, expr->arg[0]);
    isl_set *no = isl_set_complement(isl_set_copy(yes));

    return isl_pw_aff_union_add(isl_pw_aff_intersect_domain(expr_pw_aff(space, expr->arg[1]), yes),
                                isl_pw_aff_intersect_domain(expr_pw_aff(space, expr->arg[2]), no));
}

__isl_give isl_pw_aff *expr_pw_aff(__isl_keep isl_space *space, const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_INT:
        return constant_pw_aff(space, expr->integer);
    case EXPR_PARAM:
        return param_pw_aff(space, expr->param);
    case EXPR_LOOP:
        return var_pw_aff(space, isl_dim_set, expr->loop);
    case EXPR_UNARY:
        return isl_pw_aff_neg(expr_pw_aff(space, expr->arg[0]));
    case EXPR_BINARY:
        return binary_pw_aff(space, expr);
    case EXPR_CALL:
        return call_pw_aff(space, expr);
    case EXPR_SELECT:
        return select_pw_aff(space, expr);
    default:
        return NULL;
    }
}

static __isl_give isl_set *comparison_set(__isl_keep isl_space *space, const struct expr *expr)
{
    isl_pw_aff *a = expr_pw_aff(space, expr->arg[0]);
    isl_pw_aff *b = expr_pw_aff(space, expr->arg[1]);

    switch (expr->op) {
    case OP_LT:
        return isl_pw_aff_lt_set(a, b);
    case OP_LE:
        return isl_pw_aff_le_set(a, b);
    case OP_GT:
        return isl_pw_aff_gt_set(a, b);
    case OP_GE:
        return isl_pw_aff_ge_set(a, b);
    case OP_EQ:
        return isl_pw_aff_eq_set(a, b);
    default:
        return isl_pw_aff_ne_set(a, b);
    }
}

__isl_give isl_set *expr_set(__isl_keep isl_space *space, const struct expr *condition)
{
    if (condition->kind == EXPR_UNARY)
        return isl_set_complement(expr_set(space, condition->arg[0]));
    if (condition->op == OP_LAND)
        return isl_set_intersect(expr_set(space, condition->arg[0]), expr_set(space, condition->arg[1]));
    if (condition->op == OP_LOR)
        return isl_set_union(expr_set(space, condition->arg[0]), expr_set(space, condition->arg[1]));
    return comparison_set(space, condition);
}

int64_t subscript_factor(__isl_keep isl_pw_multi_aff *subscripts, int dim, int in)
{
    isl_pw_aff *index = isl_pw_multi_aff_get_pw_aff(subscripts, dim);
    int64_t factor = 0;

    index = isl_pw_aff_gist(index, isl_pw_aff_domain(isl_pw_aff_copy(index)));
    if (isl_pw_aff_isa_aff(index) == isl_bool_true) {
        isl_aff *aff = isl_pw_aff_as_aff(isl_pw_aff_copy(index));
        poly_number(isl_aff_get_coefficient_val(aff, isl_dim_in, in), &factor);
        isl_aff_free(aff);
    }
    isl_pw_aff_free(index);
    return factor;
}
