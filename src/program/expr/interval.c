#include "program/expr/interval.h"

#include "poly/number.h"
#include "program/expr/lift.h"

#include <isl/ilp.h>
#include <isl/set.h>

static struct range whole_type(enum type type)
{
    if (type == TYPE_BOOL)
        return (struct range){0, 1};
    if (type != TYPE_NONE && type_bits(type) <= 32)
        return type_range(type);
    return (struct range){type == TYPE_U64 ? 0 : INT64_MIN, INT64_MAX};
}

static bool is_within(struct range inner, struct range outer)
{
    return inner.least >= outer.least && inner.greatest <= outer.greatest;
}

static struct range both(struct range a, struct range b)
{
    return (struct range){a.least > b.least ? a.least : b.least, a.greatest < b.greatest ? a.greatest : b.greatest};
}

static struct range either(struct range a, struct range b)
{
    return (struct range){a.least < b.least ? a.least : b.least, a.greatest > b.greatest ? a.greatest : b.greatest};
}

static bool is_empty(struct range range)
{
    return range.least > range.greatest;
}

/* What arithmetic gave in type: signed one stays in it, as does unsigned one that does not wrap around. */
static struct range in_type(struct range range, enum type type)
{
    const struct range all = whole_type(type);

    if (is_within(range, all))
        return range;
    return type_is_signed(type) && !is_empty(both(range, all)) ? both(range, all) : all;
}

static int64_t clipped(__int128 value)
{
    return value < INT64_MIN ? INT64_MIN : value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

/* From the smallest to the largest of the four corners of an operation. */
static struct range corners(struct range a, struct range b, __int128 (*operation)(__int128 a, __int128 b))
{
    const __int128 corner[] = {operation(a.least, b.least), operation(a.least, b.greatest),
                               operation(a.greatest, b.least), operation(a.greatest, b.greatest)};
    __int128 least = corner[0], greatest = corner[0];

    for (int k = 1; k < 4; k++) {
        least = corner[k] < least ? corner[k] : least;
        greatest = corner[k] > greatest ? corner[k] : greatest;
    }
    return (struct range){clipped(least), clipped(greatest)};
}

static __int128 sum_of(__int128 a, __int128 b)
{
    return a + b;
}

static __int128 difference_of(__int128 a, __int128 b)
{
    return a - b;
}

static __int128 product_of(__int128 a, __int128 b)
{
    return a * b;
}

static __int128 quotient_of(__int128 a, __int128 b)
{
    return a / b;
}

static __int128 shifted_up(__int128 a, __int128 b)
{
    return a * ((__int128)1 << (int)b);
}

static __int128 shifted_down(__int128 a, __int128 b)
{
    return a >> (int)b;
}

/* A remainder is smaller than what divides, and has the sign of what is divided. */
static struct range remainder_range(struct range a, struct range b)
{
    const int64_t low = b.least == INT64_MIN ? INT64_MAX : b.least < 0 ? -b.least - 1 : 0;
    const int64_t high = b.greatest > 0 ? b.greatest - 1 : 0, most = low > high ? low : high;

    return (struct range){a.least < 0 ? (-most > a.least ? -most : a.least) : 0,
                          a.greatest > 0 ? (most < a.greatest ? most : a.greatest) : 0};
}

/* The least 2^n - 1 that is not below value. */
static int64_t all_ones(int64_t value)
{
    uint64_t ones = (uint64_t)value;

    for (int shift = 1; shift < 64; shift *= 2)
        ones |= ones >> shift;
    return (int64_t)ones;
}

static struct range bits_range(enum expr_op op, struct range a, struct range b, enum type type)
{
    if (op == OP_AND && (a.least >= 0 || b.least >= 0))
        return (struct range){0, a.least < 0 ? b.greatest : b.least < 0 ? a.greatest : both(a, b).greatest};
    if (op == OP_AND || a.least < 0 || b.least < 0)
        return whole_type(type);
    return (struct range){op == OP_OR ? either((struct range){a.least, 0}, (struct range){b.least, 0}).greatest : 0,
                          all_ones(either(a, b).greatest)};
}

static struct range shift_range(enum expr_op op, struct range a, struct range count, enum type type)
{
    const struct range valid = both(count, (struct range){0, type_bits(type) - 1});

    if (is_empty(valid))
        return whole_type(type);
    return in_type(corners(a, valid, op == OP_SHL ? shifted_up : shifted_down), type);
}

/* Of u64, may it be more than an i64 holds? */
static bool is_beyond(enum type type, struct range range)
{
    return type == TYPE_U64 && range.greatest == INT64_MAX;
}

struct range range_of_binary(enum expr_op op, enum type type, struct range a, struct range b)
{
    if (op == OP_MOD && is_beyond(type, a) && !is_beyond(type, b))
        return remainder_range((struct range){0, INT64_MAX}, b);
    if (op != OP_AND && (is_beyond(type, a) || is_beyond(type, b)))
        return whole_type(type);
    switch (op) {
    case OP_ADD:
        return in_type(corners(a, b, sum_of), type);
    case OP_SUB:
        return in_type(corners(a, b, difference_of), type);
    case OP_MUL:
        return in_type(corners(a, b, product_of), type);
    case OP_DIV:
        return b.least > 0 ? in_type(corners(a, b, quotient_of), type) : whole_type(type);
    case OP_MOD:
        return remainder_range(a, b);
    case OP_AND:
    case OP_OR:
    case OP_XOR:
        return bits_range(op, a, b, type);
    default:
        return shift_range(op, a, b, type);
    }
}

static struct range binary_range(const struct standing *standing, const struct expr *expr)
{
    const bool integers = !type_is_float(expr->arg[0]->type) && !type_is_float(expr->arg[1]->type);

    if ((expr->op >= OP_LT && expr->op <= OP_LOR) || !integers)
        return (struct range){0, 1};
    return range_of_binary(expr->op, expr->type, expr_range(standing, expr->arg[0]),
                           expr_range(standing, expr->arg[1]));
}

struct range range_of_call(enum function function, enum type type, struct range a, struct range b)
{
    switch (function) {
    case FUNCTION_MIN:
        return (struct range){either(a, b).least, both(a, b).greatest};
    case FUNCTION_MAX:
        return (struct range){both(a, b).least, either(a, b).greatest};
    case FUNCTION_RELU:
        return (struct range){a.least > 0 ? a.least : 0, a.greatest > 0 ? a.greatest : 0};
    case FUNCTION_ABS:
        b = corners((struct range){-1, -1}, a, product_of);
        return (struct range){a.least > 0 ? a.least : b.least > 0 ? b.least : 0, either(a, b).greatest};
    default:
        return whole_type(type);
    }
}

static struct range call_range(const struct standing *standing, const struct expr *expr)
{
    const bool extreme = expr->function == FUNCTION_MIN || expr->function == FUNCTION_MAX;
    const struct range a = expr_range(standing, expr->arg[0]);

    return range_of_call(expr->function, expr->type, a, extreme ? expr_range(standing, expr->arg[1]) : a);
}

static struct range select_range(const struct standing *standing, const struct expr *expr)
{
    const struct known yes = {expr->arg[0], true, false, standing->known},
                       no = {expr->arg[0], false, false, standing->known};
    struct standing inside = *standing;

    inside.known = &yes;
    const struct range then = expr_range(&inside, expr->arg[1]);
    inside.known = &no;
    return either(then, expr_range(&inside, expr->arg[2]));
}

/* Is it made of loops, parameters and numbers only? Their values fit the types that they are converted to. */
static bool is_of_loops(const struct expr *expr)
{
    bool is = expr->kind != EXPR_ACCESS && expr->kind != EXPR_SCALAR && expr->kind != EXPR_REAL;

    for (int k = 0; is && k < expr->n_arg; k++)
        is = is_of_loops(expr->arg[k]);
    return is;
}

static struct range cast_range(const struct standing *standing, const struct expr *expr)
{
    const struct range type = whole_type(expr->type);
    const enum type from = expr->arg[0]->type;
    struct range inner;

    if (type_is_float(from))
        return type;
    inner = expr_range(standing, expr->arg[0]);
    if (is_of_loops(expr->arg[0]) && !is_empty(both(inner, type)))
        return both(inner, type);
    return is_within(inner, type) && (expr->type == TYPE_U64 || !is_beyond(from, inner)) ? inner : type;
}

/* By what it is made of. */
static struct range made_range(const struct standing *standing, const struct expr *expr)
{
    const struct range type = whole_type(expr->type);
    struct range inner;

    switch (expr->kind) {
    case EXPR_INT:
        return (struct range){expr->integer, expr->integer};
    case EXPR_ACCESS:
        return type_bits(expr->type) <= 32 ? array_range(standing->program, expr->array) : type;
    case EXPR_CAST:
        return cast_range(standing, expr);
    case EXPR_UNARY:
        inner = expr->op == OP_NEG ? expr_range(standing, expr->arg[0]) : type;
        return expr->op == OP_LNOT  ? (struct range){0, 1}
               : expr->op == OP_NEG ? in_type(corners((struct range){-1, -1}, inner, product_of), expr->type)
                                    : type;
    case EXPR_BINARY:
        return binary_range(standing, expr);
    case EXPR_SELECT:
        return select_range(standing, expr);
    case EXPR_CALL:
        return call_range(standing, expr);
    default:
        return type;
    }
}

/* expr without the conversions that keep every value. */
static const struct expr *unconverted(const struct expr *expr)
{
    while (expr->kind == EXPR_CAST && !type_is_float(expr->type) && type_holds(expr->type, expr->arg[0]->type))
        expr = expr->arg[0];
    return expr;
}

static bool is_same(const struct expr *a, const struct expr *b)
{
    return expr_equal(unconverted(a), unconverted(b));
}

/* Does expr read what a statement of the program writes? */
static bool reads_written(const struct program *program, const struct expr *expr)
{
    bool found = false;

    for (int k = 0; expr->kind == EXPR_ACCESS && k < program->n_statement && !found; k++)
        found = program->statement[k]->target->array == expr->array;
    for (int k = 0; k < expr->n_arg && !found; k++)
        found = reads_written(program, expr->arg[k]);
    return found;
}

static enum expr_op turned(enum expr_op op)
{
    return op == OP_LT ? OP_GT : op == OP_GT ? OP_LT : op == OP_LE ? OP_GE : op == OP_GE ? OP_LE : op;
}

/* What values have that are less, .. than one of b. */
static struct range compared(enum expr_op op, struct range b)
{
    switch (op) {
    case OP_LT:
        return (struct range){INT64_MIN, b.greatest > INT64_MIN ? b.greatest - 1 : b.greatest};
    case OP_LE:
        return (struct range){INT64_MIN, b.greatest};
    case OP_GT:
        return (struct range){b.least < INT64_MAX ? b.least + 1 : b.least, INT64_MAX};
    case OP_GE:
        return (struct range){b.least, INT64_MAX};
    case OP_EQ:
        return b;
    default:
        return (struct range){INT64_MIN, INT64_MAX};
    }
}

/* What one condition says of expr. */
struct saying {
    const struct standing *standing;
    const struct expr *expr;
    struct range range;
    const int64_t *value; /* is it said not to be that? NULL: this is not asked */
    bool excluded;
};

static void say(struct saying *saying, enum expr_op op, const struct expr *other)
{
    const struct standing plain = {saying->standing->program, saying->standing->statement, NULL};
    const struct range range = other ? expr_range(&plain, other) : (struct range){0, 0};

    saying->range = both(saying->range, compared(op, range));
    if (op == OP_NE && saying->value && range.least == *saying->value && range.greatest == range.least)
        saying->excluded = true;
}

static bool is_comparison(const struct expr *expr)
{
    return expr->kind == EXPR_BINARY && expr->op >= OP_LT && expr->op <= OP_NE && !type_is_float(expr->arg[0]->type) &&
           !type_is_float(expr->arg[1]->type);
}

static void hear(struct saying *saying, const struct expr *condition, bool holds)
{
    const bool joined = condition->kind == EXPR_BINARY && condition->op == (holds ? OP_LAND : OP_LOR);

    if (joined || (condition->kind == EXPR_UNARY && condition->op == OP_LNOT)) {
        for (int k = 0; k < condition->n_arg; k++)
            hear(saying, condition->arg[k], joined ? holds : !holds);
        return;
    }
    if (is_same(condition, saying->expr))
        say(saying, holds ? OP_NE : OP_EQ, NULL);
    if (!is_comparison(condition))
        return;
    const enum expr_op op = holds ? condition->op : op_opposite(condition->op);
    if (is_same(condition->arg[0], saying->expr))
        say(saying, op, condition->arg[1]);
    if (is_same(condition->arg[1], saying->expr))
        say(saying, turned(op), condition->arg[0]);
}

static void hear_all(struct saying *saying)
{
    for (const struct known *known = saying->standing->known; known; known = known->around)
        if (!known->earlier || !reads_written(saying->standing->program, saying->expr))
            hear(saying, known->condition, known->holds);
}

/* { [value] }: what an expression is that is affine in loops, parameters and elements of index arrays; else NULL. */
static __isl_give isl_set *affine_values(const struct standing *standing, const struct expr *expr)
{
    const struct expr *culprit = NULL;
    isl_set *values;
    isl_size n;

    while (expr->kind == EXPR_CAST && expr->type != TYPE_BOOL && is_of_loops(expr))
        expr = expr->arg[0];
    if (expr->kind == EXPR_INT || expr->kind == EXPR_SCALAR)
        return NULL;
    values =
        lift_values(standing->program, isl_set_copy(standing->statement->domain), expr, NULL, NULL, NULL, &culprit);
    if (!values)
        return NULL;
    n = isl_set_dim(values, isl_dim_set);
    values = isl_set_project_out(values, isl_dim_set, 0, n > 0 ? (unsigned)n - 1 : 0);
    return isl_set_project_out(values, isl_dim_param, 0, (unsigned)standing->program->n_param);
}

static struct range set_range(__isl_take isl_set *set)
{
    struct range range = {INT64_MIN, INT64_MAX};
    int64_t end;

    if (poly_number(isl_set_dim_min_val(isl_set_copy(set), 0), &end))
        range.least = end;
    if (poly_number(isl_set_dim_max_val(set, 0), &end))
        range.greatest = end;
    return range;
}

struct range expr_range(const struct standing *standing, const struct expr *expr)
{
    struct range range = made_range(standing, expr);
    struct saying saying = {.standing = standing, .expr = expr};
    isl_set *values = affine_values(standing, expr);

    if (values) {
        const struct range exact = set_range(values);
        range = type_is_signed(expr->type) || is_within(exact, whole_type(expr->type)) ? both(range, exact) : range;
    }
    saying.range = range;
    hear_all(&saying);
    return saying.range;
}

/* Is value none of the affine expression's? One of u32 or u64 may wrap around. */
static bool affine_misses(const struct standing *standing, const struct expr *expr, int64_t value)
{
    isl_set *values = affine_values(standing, expr);
    bool misses;

    if (!values)
        return false;
    if (!type_is_signed(expr->type) && !is_within(set_range(isl_set_copy(values)), whole_type(expr->type))) {
        isl_set_free(values);
        return false;
    }
    values = isl_set_fix_val(values, isl_dim_set, 0, isl_val_int_from_si(isl_set_get_ctx(values), (long)value));
    misses = isl_set_is_empty(values) == isl_bool_true;
    isl_set_free(values);
    return misses;
}

/* Can expr be 0, by what it is made of? */
static bool may_vanish(const struct standing *standing, const struct expr *expr)
{
    const struct known yes = {expr->n_arg ? expr->arg[0] : NULL, true, false, standing->known},
                       no = {expr->n_arg ? expr->arg[0] : NULL, false, false, standing->known};
    const struct standing then = {standing->program, standing->statement, &yes},
                          otherwise = {standing->program, standing->statement, &no};

    if (expr->kind == EXPR_BINARY && expr->op == OP_MUL && type_is_signed(expr->type))
        return expr_may_be(standing, expr->arg[0], 0) || expr_may_be(standing, expr->arg[1], 0);
    if (expr->kind == EXPR_BINARY && expr->op == OP_OR)
        return expr_may_be(standing, expr->arg[0], 0) && expr_may_be(standing, expr->arg[1], 0);
    if ((expr->kind == EXPR_UNARY && expr->op == OP_NEG) ||
        (expr->kind == EXPR_CALL && expr->function == FUNCTION_ABS) ||
        (expr->kind == EXPR_CAST && unconverted(expr) != expr))
        return expr_may_be(standing, expr->arg[0], 0);
    if (expr->kind == EXPR_SELECT)
        return expr_may_be(&then, expr->arg[1], 0) || expr_may_be(&otherwise, expr->arg[2], 0);
    return true;
}

bool expr_may_be(const struct standing *standing, const struct expr *expr, int64_t value)
{
    const struct range range = expr_range(standing, expr);
    struct saying saying = {.standing = standing, .expr = expr, .range = range, .value = &value};

    if (value < range.least || value > range.greatest)
        return false;
    hear_all(&saying);
    if (saying.excluded || affine_misses(standing, expr, value))
        return false;
    return value != 0 || may_vanish(standing, expr);
}
