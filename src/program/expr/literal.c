#include "program/expr/literal.h"

#include "program/expr/real.h"

#include <inttypes.h>
#include <math.h>

static struct expr *fault(struct diags *diags, const struct expr *expr, const char *message)
{
    diag_error(diags, "constant", expr->place, "%s", message);
    return NULL;
}

static bool shift_in_range(int64_t a, int64_t b)
{
    return a >= 0 && b >= 0 && b < 63;
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
        *value = shift_in_range(a, b) ? (int64_t)((uint64_t)a << b) : 0;
        return shift_in_range(a, b) && *value >> b == a;
    case OP_SHR:
        *value = shift_in_range(a, b) ? a >> b : 0;
        return shift_in_range(a, b);
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

struct expr *literal_settle(struct arena *arena, struct diags *diags, const struct expr *literal, enum type type)
{
    struct expr *settled = ARENA_NEW(arena, struct expr);

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
