#include "program/expr/lift.h"

#include "program/expr/affine.h"
#include "program/expr/range.h"

enum { MAX_LIFTED = 8 };

/* An expression that isl cannot represent, and that a variable replaces: an element of an array, a conversion that may
 * change the value, or a nonlinear operation. */
struct lifted {
    const struct expr *expr;
    struct range range;      /* of what is no read */
    const struct expr *from; /* lifted, what is converted; NULL: the range is all */
};

struct lift {
    const struct program *program;
    struct arena *arena;
    range_function *range; /* NULL: of what is not affine nothing is known */
    const void *user;
    int n_loop;
    struct lifted lifted[MAX_LIFTED];
    int n;
    const struct expr *culprit;  /* NULL while all is well */
    const struct expr *unstated; /* a read of which only the type tells something, what only has a range, or a
                                  * conversion that may not keep a parameter or loop; NULL: there is none */
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

    while (k < lift->n && !(is_constant(access->array) && expr_equal(lift->lifted[k].expr, access)))
        k++;
    return k;
}

static bool is_bounded(const struct array *array)
{
    return array->values || is_short(array->type);
}

static struct expr *new_variable(struct lift *lift, int number, const struct expr *expr)
{
    struct expr *variable = ARENA_NEW(lift->arena, struct expr);

    variable->kind = EXPR_LOOP;
    variable->loop = lift->n_loop + number;
    variable->place = expr->place;
    return variable;
}

static struct expr *lift_read(struct lift *lift, const struct expr *access)
{
    const int number = find_read(lift, access);

    if (!access->array->values && !lift->condition && (!lift->unstated || lift->unstated->kind == EXPR_ACCESS))
        lift->unstated = access;
    if (number == MAX_LIFTED || (!is_bounded(access->array) && !lift->condition && !lift->clamped))
        lift->culprit = access;
    else
        lift->lifted[number].expr = access;
    lift->n = number < lift->n || lift->culprit == access ? lift->n : number + 1;
    return new_variable(lift, number, access);
}

/* expr, which is not affine, as a variable with its range; NULL: that tells nothing. */
static struct expr *lift_range(struct lift *lift, const struct expr *expr)
{
    struct range range;

    if (!lift->range || lift->condition || lift->n == MAX_LIFTED || type_is_float(expr->type))
        return NULL;
    range = lift->range(lift->user, expr);
    if (range.greatest == INT64_MAX || range.least == INT64_MIN)
        return NULL;
    if (!lift->unstated)
        lift->unstated = expr;
    lift->lifted[lift->n] = (struct lifted){expr, range, NULL};
    return new_variable(lift, lift->n++, expr);
}

/* Has the type to all values of the type from? */
static bool keeps_values(enum type from, enum type to)
{
    const int bits = type_bits(from) + (type_is_signed(to) && !type_is_signed(from));

    return !type_is_float(from) && !type_is_float(to) && (type_is_signed(to) || !type_is_signed(from)) &&
           bits <= type_bits(to);
}

static bool is_unsigned_word(enum type type)
{
    return !type_is_float(type) && !type_is_signed(type) && type_bits(type) >= 32;
}

/* May arithmetic without signs wrap around in it? below: only from 0 to the largest numbers. A conversion keeps what
 * comes of that, and so do minima and maxima. */
static bool may_wrap(const struct expr *expr, bool below)
{
    const bool negative = expr->op == OP_NEG || expr->op == OP_SUB;
    bool may =
        (expr->kind == EXPR_BINARY || expr->kind == EXPR_UNARY) && is_unsigned_word(expr->type) && (!below || negative);

    for (int k = 0; k < expr->n_arg && !may && expr->kind != EXPR_ACCESS; k++)
        may = may_wrap(expr->arg[k], below);
    return may;
}

/* Does the conversion keep the integers that it is of? */
static bool keeps_integers(const struct lift *lift, const struct expr *cast)
{
    const struct expr *from = cast->kind == EXPR_CAST ? cast->arg[0] : NULL;
    struct range range, type;

    if (!from || type_is_float(cast->type) || type_is_float(from->type))
        return false;
    if (from->kind != EXPR_ACCESS)
        return keeps_values(from->type, cast->type) && !may_wrap(from, false);
    range = type_bits(from->type) <= 32 ? array_range(lift->program, from->array) : type_range(from->type);
    type = type_range(cast->type);
    return keeps_values(from->type, cast->type) || (range.least >= type.least && range.greatest <= type.greatest);
}

/* The points of space where what is affine is in the range. */
static __isl_give isl_set *in_range(__isl_keep isl_space *space, const struct expr *expr, struct range range)
{
    isl_pw_aff *value = expr_pw_aff(space, expr);
    isl_ctx *ctx = isl_space_get_ctx(space);
    isl_val *least = isl_val_int_from_si(ctx, range.least), *greatest = isl_val_int_from_si(ctx, range.greatest);
    isl_pw_aff *end = isl_pw_aff_val_on_domain(isl_set_universe(isl_space_copy(space)), greatest);
    isl_set *inside = isl_pw_aff_le_set(isl_pw_aff_copy(value), end);

    end = isl_pw_aff_val_on_domain(isl_set_universe(isl_space_copy(space)), least);
    return isl_set_intersect(inside, isl_pw_aff_ge_set(value, end));
}

/* Do all values of what is affine at the instances of domain have the expression's type? */
static bool fits(__isl_keep isl_set *domain, const struct expr *expr)
{
    isl_space *space = isl_set_get_space(domain);
    isl_set *inside = in_range(space, expr, type_range(expr->type));
    const bool all = isl_set_is_subset(domain, inside) == isl_bool_true;

    isl_space_free(space);
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

static struct expr *lift_expr(struct lift *lift, const struct expr *expr);

/* A conversion of integers as a variable: what it is of, where the type has that. NULL: what it is of is not affine. */
static struct expr *lift_cast(struct lift *lift, const struct expr *cast)
{
    const struct lift before = *lift;
    const struct expr *from;
    const char *why;

    if (type_bits(cast->type) > 32)
        return NULL;
    lift->clamped = true;
    from = lift_expr(lift, cast->arg[0]);
    lift->clamped = before.clamped;
    if (lift->culprit != before.culprit || lift->n == MAX_LIFTED || expr_affine_obstacle(from, &why)) {
        *lift = before;
        return NULL;
    }
    if (!expr_affine_obstacle(cast->arg[0], &why))
        lift->unstated = cast;
    lift->lifted[lift->n] = (struct lifted){cast, type_range(cast->type), from};
    return new_variable(lift, lift->n++, cast);
}

/* A division, which rounds down in subscripts, though not in values, by what isl can divide by? */
static bool is_floor_division(const struct lift *lift, const struct expr *expr)
{
    int64_t divisor;

    return lift->range && expr->kind == EXPR_BINARY && (expr->op == OP_DIV || expr->op == OP_MOD) &&
           expr_constant(expr->arg[1], &divisor) && divisor > 0 && !may_wrap(expr->arg[0], false);
}

static bool is_comparison(const struct expr *expr)
{
    return expr->kind == EXPR_BINARY && expr->op >= OP_LT && expr->op <= OP_NE;
}

/* Is it an operation that isl has, too? */
static bool is_followed(const struct lift *lift, const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_UNARY:
        return expr->op == OP_NEG;
    case EXPR_BINARY:
        return expr->op == OP_ADD || expr->op == OP_SUB || expr->op == OP_MUL || is_floor_division(lift, expr);
    case EXPR_CALL:
        return (expr->function == FUNCTION_MIN || expr->function == FUNCTION_MAX) && !may_wrap(expr, true);
    case EXPR_CAST:
    case EXPR_SELECT:
        return false;
    default:
        return true;
    }
}

/* Is it bounded whatever an operand is? */
static bool is_clamp(const struct expr *expr)
{
    return (expr->kind == EXPR_CALL && (expr->function == FUNCTION_MIN || expr->function == FUNCTION_MAX)) ||
           (expr->kind == EXPR_BINARY && expr->op == OP_MOD);
}

/* What isl does not have, as a variable; NULL: nothing is known of it. */
static struct expr *lift_opaque(struct lift *lift, const struct expr *expr)
{
    const bool conversion = expr->kind == EXPR_CAST && !type_is_float(expr->type) && !type_is_float(expr->arg[0]->type);
    struct expr *variable = conversion ? lift_cast(lift, expr) : NULL;

    return variable ? variable : lift_range(lift, expr);
}

/* expr with variables for its reads, and for what is not affine. */
static struct expr *lift_expr(struct lift *lift, const struct expr *expr)
{
    const bool outside = lift->clamped;
    struct expr *copy;

    if (expr->kind == EXPR_ACCESS)
        return lift_read(lift, expr);
    if (keeps_integers(lift, expr) || keeps_affine(lift, expr))
        return lift_expr(lift, expr->arg[0]);
    if (!is_followed(lift, expr) && !(lift->condition && is_comparison(expr))) {
        copy = lift_opaque(lift, expr);
        if (copy)
            return copy;
        lift->culprit = expr;
    }
    copy = copy_with(lift->arena, expr);
    lift->clamped |= is_clamp(expr);
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

static __isl_give isl_set *restrict_range(__isl_take isl_set *set, int pos, struct range range)
{
    isl_ctx *ctx = isl_set_get_ctx(set);

    set = isl_set_lower_bound_val(set, isl_dim_set, (unsigned)pos, isl_val_int_from_si(ctx, range.least));
    return isl_set_upper_bound_val(set, isl_dim_set, (unsigned)pos, isl_val_int_from_si(ctx, range.greatest));
}

/* Variable k in its range and, where that has what is converted, equal to that. */
static __isl_give isl_set *restrict_opaque(const struct lift *lift, __isl_take isl_set *set, int k)
{
    const struct lifted *lifted = &lift->lifted[k];
    const struct expr variable = {.kind = EXPR_LOOP, .loop = lift->n_loop + k};
    isl_space *space;
    isl_set *kept, *same;

    set = restrict_range(set, lift->n_loop + k, lifted->range);
    if (!lifted->from)
        return set;
    space = isl_set_get_space(set);
    kept = in_range(space, lifted->from, type_range(lifted->expr->arg[0]->type));
    kept = isl_set_intersect(kept, in_range(space, lifted->from, lifted->range));
    same = isl_pw_aff_eq_set(expr_pw_aff(space, &variable), expr_pw_aff(space, lifted->from));
    isl_space_free(space);
    same = isl_set_intersect(isl_set_intersect(same, isl_set_copy(kept)), isl_set_copy(set));
    return isl_set_union(same, isl_set_subtract(set, kept));
}

static __isl_give isl_set *restrict_reads(const struct lift *lift, __isl_take isl_set *set)
{
    isl_space *space = isl_set_get_space(set);

    for (int k = 0; k < lift->n; k++) {
        const struct array *array = lift->lifted[k].expr->array;

        if (lift->lifted[k].expr->kind != EXPR_ACCESS) {
            set = restrict_opaque(lift, set, k);
            continue;
        }
        if (array->values)
            set = isl_set_intersect(set, expr_set(space, about_loop(lift->arena, array->values, lift->n_loop + k)));
        if (is_short(array->type))
            set = restrict_range(set, lift->n_loop + k, type_range(array->type));
        else if (!type_is_signed(array->type))
            set = isl_set_lower_bound_si(set, isl_dim_set, (unsigned)(lift->n_loop + k), 0);
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
    return is_comparison(condition) && is_exact(domain, condition->arg[0]) && is_exact(domain, condition->arg[1]);
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

/* To integers of 64 bits: inside of an array what is converted has these, too. */
static bool is_wide_cast(const struct expr *expr)
{
    return expr->kind == EXPR_CAST && !type_is_float(expr->type) && type_bits(expr->type) == 64 &&
           !type_is_float(expr->arg[0]->type);
}

__isl_give isl_set *lift_values(const struct program *program, __isl_take isl_set *domain, const struct expr *index,
                                const struct expr *guard, range_function *range, const void *user,
                                const struct expr **culprit)
{
    const isl_size n_loop = isl_set_dim(domain, isl_dim_set);
    struct lift lift = {.program = program,
                        .arena = program->arena,
                        .range = range,
                        .user = user,
                        .n_loop = n_loop,
                        .domain = of_types(program, isl_set_copy(domain))};
    const struct expr *lifted;
    struct expr last = {.kind = EXPR_LOOP};
    conditions said = {0};
    const char *why;
    isl_space *space;
    isl_set *values;

    while (range && is_wide_cast(index))
        index = index->arg[0];
    lifted = lift_expr(&lift, index);
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
