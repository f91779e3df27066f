#include "program/expr/literal.h"

#include "program/expr/real.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct expr *fault(struct diags *diags, const struct expr *expr, const char *message)
{
    diag_error(diags, "constant", expr->place, "%s", message);
    return NULL;
}

static bool shift_in_range(int64_t b)
{
    return b >= 0 && b < 63;
}

/* C's operators on 64 bits; false where C has no defined answer. */
static bool fold_integers(enum expr_op op, int64_t a, int64_t b, int64_t *value)
{
    switch (op) {
    case OP_ADD:
        return !__builtin_add_overflow(a, b, value);
    case OP_SUB:
        return !__builtin_sub_overflow(a, b, value);
    case OP_MUL:
        return !__builtin_mul_overflow(a, b, value);
    case OP_DIV:
    case OP_MOD:
        if (b == 0 || (a == INT64_MIN && b == -1))
            return false;
        *value = op == OP_DIV ? a / b : a % b;
        return true;
    case OP_SHL:
        *value = a >= 0 && shift_in_range(b) ? (int64_t)((uint64_t)a << b) : 0;
        return a >= 0 && shift_in_range(b) && *value >> b == a;
    case OP_SHR:
        *value = shift_in_range(b) ? a >> b : 0;
        return shift_in_range(b);
    case OP_AND:
        *value = a & b;
        return true;
    case OP_OR:
        *value = a | b;
        return true;
    case OP_XOR:
        *value = a ^ b;
        return true;
    default:
        return false;
    }
}

static double fold_reals(enum expr_op op, double a, double b)
{
    switch (op) {
    case OP_ADD:
        return a + b;
    case OP_SUB:
        return a - b;
    case OP_MUL:
        return a * b;
    default:
        return b == 0 ? NAN : a / b;
    }
}

static struct expr *integer_literal(struct arena *arena, const struct expr *expr, int64_t value)
{
    struct expr *literal = ARENA_NEW(arena, struct expr);

    literal->kind = EXPR_INT;
    literal->place = expr->place;
    literal->integer = value;
    return literal;
}

static struct expr *real_literal(struct arena *arena, const struct expr *expr, double value)
{
    struct expr *literal = ARENA_NEW(arena, struct expr);

    literal->kind = EXPR_REAL;
    literal->place = expr->place;
    literal->real = value;
    literal->spelling = real_spell(arena, value);
    return literal;
}

/* -2^63 is the one that has a type of its own; what others are computed with must have u64. */
static struct expr *fold_long(struct arena *arena, struct diags *diags, const struct expr *expr)
{
    const struct expr *literal = expr->arg[0]->kind == EXPR_LONG ? expr->arg[0] : expr->arg[1];

    if (expr->kind == EXPR_UNARY && expr->op == OP_NEG && strcmp(literal->spelling, "9223372036854775808") == 0)
        return integer_literal(arena, expr, INT64_MIN);
    diag_hint(diags,
              diag_error(diags, "constant", literal->place,
                         "%s is larger than all of i64, in which constants are computed", literal->spelling),
              "say what is meant with a cast: u64(%s)", literal->spelling);
    return NULL;
}

static struct expr *fold_unary(struct arena *arena, struct diags *diags, const struct expr *expr)
{
    const struct expr *arg = expr->arg[0];
    struct expr *literal;

    if (arg->kind == EXPR_INT)
        return expr->op == OP_NEG && arg->integer == INT64_MIN
                   ? fault(diags, expr, "this constant overflows 64 bits")
                   : integer_literal(arena, expr, expr->op == OP_NEG ? -arg->integer : ~arg->integer);
    literal = ARENA_NEW(arena, struct expr);
    *literal = *arg;
    literal->place = expr->place;
    literal->real = -arg->real;
    literal->spelling = *arg->spelling == '-' ? arg->spelling + 1 : arena_printf(arena, "-%s", arg->spelling);
    return literal;
}

static double real_of(const struct expr *literal)
{
    return literal->kind == EXPR_REAL ? literal->real : (double)literal->integer;
}

struct expr *literal_fold(struct arena *arena, struct diags *diags, const struct expr *expr)
{
    const struct expr *a = expr->arg[0], *b = expr->n_arg > 1 ? expr->arg[1] : NULL;
    int64_t integer;
    double real;

    if (a->kind == EXPR_LONG || (b && b->kind == EXPR_LONG))
        return fold_long(arena, diags, expr);
    if (!b)
        return fold_unary(arena, diags, expr);
    if (a->kind == EXPR_INT && b->kind == EXPR_INT)
        return fold_integers(expr->op, a->integer, b->integer, &integer)
                   ? integer_literal(arena, expr, integer)
                   : fault(diags, expr, "this constant overflows or divides by zero");
    real = fold_reals(expr->op, real_of(a), real_of(b));
    return isfinite(real) ? real_literal(arena, expr, real)
                          : fault(diags, expr, "this constant overflows or divides by zero");
}

static bool integer_fits(int64_t value, enum type type)
{
    const int bits = type == TYPE_BOOL ? 1 : type_bits(type);

    if (type_is_float(type))
        return true;
    if (!type_is_signed(type))
        return value >= 0 && (bits == 64 || value < (int64_t)1 << bits);
    return bits == 64 || (value >= -((int64_t)1 << (bits - 1)) && value < (int64_t)1 << (bits - 1));
}

bool literal_check_whole(struct diags *diags, const struct expr *literal, enum type type)
{
    const bool is_signed = type_is_signed(type);
    const double above = ldexp(1.0, type_bits(type) - is_signed), whole = trunc(literal->real);

    if (type == TYPE_BOOL || (whole < above && whole >= (is_signed ? -above : 0.0)))
        return true;
    diag_error(diags, "constant", literal->place, "%s does not fit %s", literal->spelling, type_name(type));
    return false;
}

/* Of u64 as `~c`, where c is one that i64 holds; of a float as the real number. */
static struct expr *settle_long(struct arena *arena, struct diags *diags, const struct expr *literal, enum type type)
{
    struct expr *settled = ARENA_NEW(arena, struct expr);

    if (type_is_float(type)) {
        *settled = *literal;
        settled->kind = EXPR_REAL;
        settled->spelling = arena_printf(arena, "%s.0", literal->spelling);
        settled->real = real_parse(settled->spelling);
        return literal_settle(arena, diags, settled, type);
    }
    if (type != TYPE_U64) {
        diag_error(diags, "constant", literal->place, "%s does not fit %s", literal->spelling, type_name(type));
        return NULL;
    }
    *settled = (struct expr){.kind = EXPR_UNARY,
                             .op = OP_NOT,
                             .type = type,
                             .place = literal->place,
                             .spelling = literal->spelling,
                             .arg = ARENA_ARRAY(arena, 1, struct expr *),
                             .n_arg = 1};
    settled->arg[0] = integer_literal(arena, literal, (int64_t)~strtoull(literal->spelling, NULL, 10));
    settled->arg[0]->type = type;
    return settled;
}

struct expr *literal_settle(struct arena *arena, struct diags *diags, const struct expr *literal, enum type type)
{
    struct expr *settled = ARENA_NEW(arena, struct expr);

    if (literal->kind == EXPR_LONG)
        return settle_long(arena, diags, literal, type);
    *settled = *literal;
    settled->type = type;
    if (literal->kind == EXPR_INT && !integer_fits(literal->integer, type)) {
        diag_error(diags, "constant", literal->place, "%" PRId64 " does not fit %s", literal->integer, type_name(type));
        return NULL;
    }
    if (literal->kind == EXPR_REAL && type_bits(type) < 64) {
        settled->real = (double)real_parse_single(literal->spelling);
        if (!isfinite(settled->real)) {
            diag_error(diags, "constant", literal->place, "%s does not fit %s", literal->spelling, type_name(type));
            return NULL;
        }
    }
    return settled;
}
