#include "program/expr/lift.h"

#include "program/expr/affine.h"
#include "program/expr/range.h"

enum { MAX_LIFTED = 8 };

struct lift {
    struct arena *arena;
    int n_loop;
    const struct expr *read[MAX_LIFTED];
    int n;
    const struct expr *culprit;  /* NULL while all is well */
    const struct expr *unstated; /* a read of which only the type tells something, or NULL */
};

static struct expr *copy_with(struct arena *arena, const struct expr *expr)
{
    struct expr *copy = ARENA_NEW(arena, struct expr);

    *copy = *expr;
    copy->arg = ARENA_ARRAY(arena, expr->n_arg, struct expr *);
    return copy;
}

/* Do few enough integers have the type for it to tell something? */
static bool is_short(enum type type)
{
    return !type_is_float(type) && type_bits(type) <= 16;
}

static struct expr *lift_read(struct lift *lift, const struct expr *access)
{
    struct expr *variable = ARENA_NEW(lift->arena, struct expr);

    if (!access->array->values)
        lift->unstated = access;
    if ((!access->array->values && !is_short(access->array->type)) || lift->n == MAX_LIFTED)
        lift->culprit = access;
    else
        lift->read[lift->n++] = access;
    variable->kind = EXPR_LOOP;
    variable->loop = lift->n_loop + lift->n - 1;
    variable->place = access->place;
    return variable;
}

static bool is_integer_cast(const struct expr *expr)
{
    return expr->kind == EXPR_CAST && !type_is_float(expr->type) && type_bits(expr->type) >= 32 &&
           !type_is_float(expr->arg[0]->type) && type_bits(expr->arg[0]->type) <= type_bits(expr->type);
}

/* expr with variables for its reads. C's division of values is not floor division, so it stays out. */
static struct expr *lift_expr(struct lift *lift, const struct expr *expr)
{
    struct expr *copy;

    if (expr->kind == EXPR_ACCESS)
        return lift_read(lift, expr);
    if (is_integer_cast(expr))
        return lift_expr(lift, expr->arg[0]);
    if (expr->kind == EXPR_BINARY && (expr->op == OP_DIV || expr->op == OP_MOD))
        lift->culprit = expr;
    copy = copy_with(lift->arena, expr);
    for (int k = 0; k < expr->n_arg; k++)
        copy->arg[k] = lift_expr(lift, expr->arg[k]);
    return copy;
}

/* condition, whose loop 0 is a value, about loop instead. */
static struct expr *about_loop(struct arena *arena, const struct expr *condition, int loop)
{
    struct expr *copy = copy_with(arena, condition);

    copy->loop = loop;
    for (int k = 0; k < condition->n_arg; k++)
        copy->arg[k] = about_loop(arena, condition->arg[k], loop);
    return copy;
}

/* Variable pos has a value of the type. */
static __isl_give isl_set *restrict_type(__isl_take isl_set *set, int pos, enum type type)
{
    struct range range;

    if (!is_short(type))
        return set;
    range = type_range(type);
    set = isl_set_lower_bound_si(set, isl_dim_set, (unsigned)pos, (int)range.least);
    return isl_set_upper_bound_si(set, isl_dim_set, (unsigned)pos, (int)range.greatest);
}

static __isl_give isl_set *restrict_reads(const struct lift *lift, __isl_take isl_set *set)
{
    isl_space *space = isl_set_get_space(set);

    for (int k = 0; k < lift->n; k++) {
        const struct array *array = lift->read[k]->array;

        if (array->values)
            set = isl_set_intersect(set, expr_set(space, about_loop(lift->arena, array->values, lift->n_loop + k)));
        set = restrict_type(set, lift->n_loop + k, array->type);
    }
    isl_space_free(space);
    return set;
}

__isl_give isl_set *lift_values(const struct program *program, __isl_take isl_set *domain, const struct expr *index,
                                const struct expr **culprit)
{
    const isl_size n_loop = isl_set_dim(domain, isl_dim_set);
    struct lift lift = {.arena = program->arena, .n_loop = n_loop};
    const struct expr *lifted = lift_expr(&lift, index);
    struct expr last = {.kind = EXPR_LOOP, .loop = n_loop + lift.n};
    const char *why;
    isl_space *space;
    isl_set *values;

    *culprit = lift.culprit ? lift.culprit : expr_affine_obstacle(lifted, &why);
    if (*culprit || n_loop < 0)
        return isl_set_free(domain);
    *culprit = lift.unstated;
    values = isl_set_add_dims(isl_set_reset_tuple_id(domain), isl_dim_set, (unsigned)lift.n + 1);
    values = restrict_reads(&lift, values);
    space = isl_set_get_space(values);
    values = isl_set_intersect(values, isl_pw_aff_eq_set(expr_pw_aff(space, &last), expr_pw_aff(space, lifted)));
    isl_space_free(space);
    return values;
}

__isl_give isl_set *lift_outside(__isl_take isl_set *values, int pos, const struct expr *extent)
{
    isl_space *space = isl_set_get_space(values);
    const struct expr zero = {.kind = EXPR_INT}, index = {.kind = EXPR_LOOP, .loop = pos};
    isl_set *outside = isl_pw_aff_lt_set(expr_pw_aff(space, &index), expr_pw_aff(space, &zero));

    outside = isl_set_union(outside, isl_pw_aff_ge_set(expr_pw_aff(space, &index), expr_pw_aff(space, extent)));
    isl_space_free(space);
    return isl_set_intersect(values, outside);
}
