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
    isl_set *domain;             /* the instances, parameters being of their types; NULL: they are not looked at */
    bool clamped;                /* an operand of a minimum or maximum is at hand, which may be anything, too */
    bool condition;              /* the expression at hand is a condition: what it reads may be anything else */
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

static bool is_constant(const struct array *array)
{
    return array->role == ROLE_IN || array->role == ROLE_CONST;
}

/* The number of the variable for such a read, if there is one already: nothing changes what it reads. */
static int find_read(const struct lift *lift, const struct expr *access)
{
    int k = 0;

    while (k < lift->n && !(is_constant(access->array) && expr_equal(lift->read[k], access)))
        k++;
    return k;
}

static bool is_bounded(const struct array *array)
{
    return array->values || is_short(array->type);
}

static struct expr *lift_read(struct lift *lift, const struct expr *access)
{
    struct expr *variable = ARENA_NEW(lift->arena, struct expr);
    const int number = find_read(lift, access);

    if (!access->array->values && !lift->condition)
        lift->unstated = access;
    if (number == MAX_LIFTED || (!is_bounded(access->array) && !lift->condition && !lift->clamped))
        lift->culprit = access;
    else
        lift->read[number] = access;
    lift->n = number < lift->n || lift->culprit == access ? lift->n : number + 1;
    variable->kind = EXPR_LOOP;
    variable->loop = lift->n_loop + number;
    variable->place = access->place;
    return variable;
}

static bool is_integer_cast(const struct expr *expr)
{
    return expr->kind == EXPR_CAST && !type_is_float(expr->type) && type_bits(expr->type) >= 32 &&
           !type_is_float(expr->arg[0]->type) && type_bits(expr->arg[0]->type) <= type_bits(expr->type);
}

/* Do all values of what is affine at the instances of domain have the expression's type? */
static bool fits(__isl_keep isl_set *domain, const struct expr *expr)
{
    const struct range range = type_range(expr->type);
    isl_space *space = isl_set_get_space(domain);
    isl_pw_aff *value = expr_pw_aff(space, expr);
    isl_val *least = isl_val_int_from_si(isl_set_get_ctx(domain), range.least);
    isl_val *greatest = isl_val_int_from_si(isl_set_get_ctx(domain), range.greatest);
    isl_pw_aff *end = isl_pw_aff_val_on_domain(isl_set_universe(isl_space_copy(space)), greatest);
    isl_set *inside = isl_pw_aff_le_set(isl_pw_aff_copy(value), end);
    bool all;

    end = isl_pw_aff_val_on_domain(isl_set_universe(space), least);
    inside = isl_set_intersect(inside, isl_pw_aff_ge_set(value, end));
    all = isl_set_is_subset(domain, inside) == isl_bool_true;
    isl_set_free(inside);
    return all;
}

/* Does the conversion keep what is affine in parameters and loops? */
static bool keeps_affine(const struct lift *lift, const struct expr *cast)
{
    struct expr converted;
    const char *why;

    if (cast->kind != EXPR_CAST || type_is_float(cast->type) || !lift->domain ||
        expr_affine_obstacle(cast->arg[0], &why))
        return false;
    converted = *cast->arg[0];
    converted.type = cast->type;
    return fits(lift->domain, &converted);
}

/* expr with variables for its reads. C's division of values is not floor division, so it stays out. */
static struct expr *lift_expr(struct lift *lift, const struct expr *expr)
{
    const bool outside = lift->clamped;
    struct expr *copy;

    if (expr->kind == EXPR_ACCESS)
        return lift_read(lift, expr);
    if (is_integer_cast(expr) || keeps_affine(lift, expr))
        return lift_expr(lift, expr->arg[0]);
    if (expr->kind == EXPR_BINARY && (expr->op == OP_DIV || expr->op == OP_MOD))
        lift->culprit = expr;
    copy = copy_with(lift->arena, expr);
    lift->clamped |= expr->kind == EXPR_CALL && (expr->function == FUNCTION_MIN || expr->function == FUNCTION_MAX);
    for (int k = 0; k < expr->n_arg; k++)
        copy->arg[k] = lift_expr(lift, expr->arg[k]);
    lift->clamped = outside;
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

/* domain where each parameter has its type. */
static __isl_give isl_set *of_types(const struct program *program, __isl_take isl_set *domain)
{
    for (int k = 0; k < program->n_param; k++) {
        const struct range range = type_range(program->param[k].type);
        isl_ctx *ctx = isl_set_get_ctx(domain);

        domain = isl_set_lower_bound_val(domain, isl_dim_param, (unsigned)k, isl_val_int_from_si(ctx, range.least));
        domain = isl_set_upper_bound_val(domain, isl_dim_param, (unsigned)k, isl_val_int_from_si(ctx, range.greatest));
    }
    return domain;
}

/* Has the type to all values of the type from? */
static bool keeps_values(enum type from, enum type to)
{
    const int bits = type_bits(from) + (type_is_signed(to) && !type_is_signed(from));

    return !type_is_float(from) && !type_is_float(to) && (type_is_signed(to) || !type_is_signed(from)) &&
           bits <= type_bits(to);
}

/* Is the value of expr, of an integer type, that of exact integers, as signed arithmetic does not overflow? */
static bool is_exact(__isl_keep isl_set *domain, const struct expr *expr)
{
    bool exact = false;

    if (type_is_float(expr->type))
        return false;
    switch (expr->kind) {
    case EXPR_INT:
        return true;
    case EXPR_LOOP:
    case EXPR_PARAM:
        return expr->type == TYPE_I64 || expr->type == TYPE_NONE || fits(domain, expr);
    case EXPR_ACCESS:
        return is_constant(expr->array);
    case EXPR_CAST:
        exact = keeps_values(expr->arg[0]->type, expr->type);
        break;
    case EXPR_UNARY:
        exact = expr->op == OP_NEG && type_is_signed(expr->type);
        break;
    case EXPR_BINARY:
        exact = (expr->op == OP_ADD || expr->op == OP_SUB || expr->op == OP_MUL) && type_is_signed(expr->type);
        break;
    default:
        return false;
    }
    for (int k = 0; k < expr->n_arg && exact; k++)
        exact = is_exact(domain, expr->arg[k]);
    return exact;
}

static bool is_exact_comparison(__isl_keep isl_set *domain, const struct expr *condition)
{
    return condition->kind == EXPR_BINARY && condition->op >= OP_LT && condition->op <= OP_NE &&
           is_exact(domain, condition->arg[0]) && is_exact(domain, condition->arg[1]);
}

typedef VEC(const struct expr *) conditions;

/* Adds what the guard says of reads and loops, as far as that is affine. */
static void lift_guard(struct lift *lift, __isl_keep isl_set *domain, const struct expr *guard, conditions *said)
{
    const struct lift before = *lift;
    const struct expr *lifted;
    const char *why;

    if (guard->kind == EXPR_BINARY && guard->op == OP_LAND) {
        lift_guard(lift, domain, guard->arg[0], said);
        lift_guard(lift, domain, guard->arg[1], said);
        return;
    }
    if (!is_exact_comparison(domain, guard))
        return;
    lift->condition = true;
    lifted = lift_expr(lift, guard);
    lift->condition = false;
    if (lift->culprit != before.culprit || expr_condition_obstacle(lifted, &why))
        *lift = before;
    else
        VEC_PUSH(lift->arena, said, lifted);
}

__isl_give isl_set *lift_values(const struct program *program, __isl_take isl_set *domain, const struct expr *index,
                                const struct expr *guard, const struct expr **culprit)
{
    const isl_size n_loop = isl_set_dim(domain, isl_dim_set);
    struct lift lift = {.arena = program->arena, .n_loop = n_loop, .domain = of_types(program, isl_set_copy(domain))};
    const struct expr *lifted = lift_expr(&lift, index);
    struct expr last = {.kind = EXPR_LOOP};
    conditions said = {0};
    const char *why;
    isl_space *space;
    isl_set *values;

    *culprit = lift.culprit ? lift.culprit : expr_affine_obstacle(lifted, &why);
    if (*culprit || n_loop < 0) {
        isl_set_free(lift.domain);
        return isl_set_free(domain);
    }
    *culprit = lift.unstated;
    if (guard)
        lift_guard(&lift, lift.domain, guard, &said);
    lift.domain = isl_set_free(lift.domain);
    last.loop = n_loop + lift.n;
    values = isl_set_add_dims(isl_set_reset_tuple_id(domain), isl_dim_set, (unsigned)lift.n + 1);
    values = restrict_reads(&lift, values);
    space = isl_set_get_space(values);
    for (int k = 0; k < said.n; k++)
        values = isl_set_intersect(values, expr_set(space, said.at[k]));
    values = isl_set_intersect(values, isl_pw_aff_eq_set(expr_pw_aff(space, &last), expr_pw_aff(space, lifted)));
    isl_space_free(space);
    return values;
}

static const struct expr *find_wrapping(__isl_keep isl_set *domain, const struct expr *expr)
{
    const bool named = expr->kind == EXPR_LOOP || expr->kind == EXPR_PARAM;
    const struct expr *found = NULL;

    if (named && expr->type != TYPE_NONE && !type_is_float(expr->type) && !fits(domain, expr))
        return expr;
    for (int k = 0; k < expr->n_arg && !found; k++)
        found = find_wrapping(domain, expr->arg[k]);
    return found;
}

const struct expr *lift_wrapping(const struct program *program, __isl_keep isl_set *domain, const struct expr *expr)
{
    isl_set *typed = of_types(program, isl_set_copy(domain));
    const struct expr *found = find_wrapping(typed, expr);

    isl_set_free(typed);
    return found;
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
