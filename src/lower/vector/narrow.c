#include "lower/vector/narrow.h"

#include "tree/visit.h"

static bool is_integer(enum type type)
{
    return !type_is_float(type) && type != TYPE_BOOL && type != TYPE_NONE;
}

static bool is_narrow(enum type type)
{
    return is_integer(type) && type_bits(type) < 32;
}

/* Have the set's widest vectors of type the instruction? */
static bool has(const struct simd *simd, enum type type, enum vector_op op)
{
    const int lanes = simd_widest(simd, &type, 1);
    const struct simd_type *vector = lanes ? simd_type_of(simd, type, lanes) : NULL;

    return vector && vector->row[op];
}

static const struct tree_expr *with_args(struct arena *arena, const struct tree_expr *expr, enum type type,
                                         const struct tree_expr *const *arg)
{
    struct tree_expr *copy = ARENA_NEW(arena, struct tree_expr);

    *copy = *expr;
    copy->type = type;
    copy->arg = arg;
    return copy;
}

static bool fits(enum type type, int64_t value)
{
    const int bits = type_bits(type);

    return type_is_signed(type) ? value >= -((int64_t)1 << (bits - 1)) && value < (int64_t)1 << (bits - 1)
                                : value >= 0 && value < (int64_t)1 << bits;
}

int64_t narrow_wrapped(enum type type, int64_t value)
{
    const int64_t size = (int64_t)1 << type_bits(type);
    const int64_t rest = ((value % size) + size) % size;

    return fits(type, rest) ? rest : rest - size;
}

/* Between which numbers a value is. */
struct range {
    int64_t least, most;
};

static const struct range all_of_int = {INT32_MIN, INT32_MAX};

static bool is_within(struct range range, struct range other)
{
    return range.least >= other.least && range.most <= other.most;
}

/* The products of both ends; false where one of the numbers is large. */
static bool range_of_product(struct range a, struct range b, struct range *range)
{
    const int64_t product[] = {a.least * b.least, a.least * b.most, a.most * b.least, a.most * b.most};

    *range = (struct range){product[0], product[0]};
    for (int k = 1; k < 4; k++) {
        range->least = product[k] < range->least ? product[k] : range->least;
        range->most = product[k] > range->most ? product[k] : range->most;
    }
    return is_within(*range, all_of_int);
}

static bool find_range(const struct tree_expr *expr, struct range *range);

static bool range_of_operation(const struct tree_expr *expr, struct range *range)
{
    struct range a, b;

    if (!find_range(expr->arg[0], &a) || !find_range(expr->arg[1], &b))
        return false;
    switch (expr->op) {
    case OP_ADD:
        *range = (struct range){a.least + b.least, a.most + b.most};
        return is_within(*range, all_of_int);
    case OP_SUB:
        *range = (struct range){a.least - b.most, a.most - b.least};
        return is_within(*range, all_of_int);
    case OP_MUL:
        return range_of_product(a, b, range);
    case OP_SHR:
        *range = (struct range){a.least >> b.least, a.most >> b.least};
        return b.least == b.most && b.least >= 0 && b.least < 32;
    case OP_AND:
        *range = (struct range){0, b.most};
        return b.least >= 0;
    default:
        return false;
    }
}

static bool range_of_call(const struct tree_expr *expr, struct range *range)
{
    const bool least = expr->function == FUNCTION_MIN;
    struct range a, b;

    if ((!least && expr->function != FUNCTION_MAX) || !find_range(expr->arg[0], &a) || !find_range(expr->arg[1], &b))
        return false;
    *range =
        (struct range){(a.least < b.least) == least ? a.least : b.least, (a.most < b.most) == least ? a.most : b.most};
    return true;
}

/* The numbers that an integer of at most 32 bits may be, for all that its operands' types say: false where that is any
 * of an int. */
static bool find_range(const struct tree_expr *expr, struct range *range)
{
    const int bits = is_integer(expr->type) ? type_bits(expr->type) : 64;
    const bool negative = type_is_signed(expr->type);

    if (expr->type != TYPE_I32 && bits >= 32)
        return false;
    if (expr->kind == TREE_INT) {
        *range = (struct range){expr->integer, expr->integer};
        return is_within(*range, all_of_int);
    }
    if (expr->kind == TREE_CAST && find_range(expr->arg[0], range) && fits(expr->type, range->least) &&
        fits(expr->type, range->most))
        return true;
    if (bits < 32) {
        *range = (struct range){negative ? -((int64_t)1 << (bits - 1)) : 0,
                                ((int64_t)1 << (negative ? bits - 1 : bits)) - 1};
        return true;
    }
    if (expr->kind == TREE_CALL)
        return range_of_call(expr, range);
    return expr->kind == TREE_BINARY && range_of_operation(expr, range);
}

static const struct tree_expr *low_bits(struct arena *arena, const struct simd *simd, const struct tree_expr *expr,
                                        enum type type);

/* An operation in int whose result is one of type's: the low bits are all of it. */
static const struct tree_expr *fitting(struct arena *arena, const struct simd *simd, const struct tree_expr *expr,
                                       enum type type)
{
    struct range range;

    if (expr->kind != TREE_BINARY || !find_range(expr, &range) || !fits(type, range.least) || !fits(type, range.most))
        return NULL;
    return low_bits(arena, simd, expr, type);
}

/* Is argument k of the minimum or maximum a literal that no number of type passes, and the other one an operation?
 * Values' flow, which knows the types of operations but not ranges, misses it then. */
static bool is_lost(const struct tree_expr *extreme, int k, enum type type)
{
    const struct tree_expr *limit = extreme->arg[k];
    const int64_t beyond = extreme->function == FUNCTION_MIN ? 1 : -1;

    return limit->kind == TREE_INT && !fits(type, limit->integer + beyond) && extreme->arg[1 - k]->kind != TREE_CAST;
}

/* expr, whose value is one of type's, as such; NULL: it may be another. */
static const struct tree_expr *exact(struct arena *arena, const struct simd *simd, const struct tree_expr *expr,
                                     enum type type)
{
    const bool extreme = expr->kind == TREE_CALL && (expr->function == FUNCTION_MIN || expr->function == FUNCTION_MAX);
    const enum vector_op op = expr->function == FUNCTION_MIN ? VECTOR_MIN : VECTOR_MAX;
    const struct tree_expr **arg;

    if (expr->type == type)
        return expr;
    if (expr->kind == TREE_INT && is_integer(expr->type) && fits(type, expr->integer))
        return tree_expr_integer(arena, type, expr->integer);
    if (expr->kind == TREE_CAST)
        return type_holds(type, expr->arg[0]->type) && type_holds(expr->type, expr->arg[0]->type)
                   ? tree_expr_cast(arena, type, expr->arg[0])
                   : NULL;
    if (!extreme)
        return fitting(arena, simd, expr, type);
    if (!has(simd, type, op) || !is_integer(expr->type))
        return NULL;
    arg = ARENA_ARRAY(arena, 2, const struct tree_expr *);
    for (int k = 0; k < 2; k++) {
        arg[k] = exact(arena, simd, expr->arg[k], type);
        if (!arg[k] || is_lost(expr, k, type))
            return NULL;
    }
    return with_args(arena, expr, type, arg);
}

/* The same as one of type's, or of the other integers of as many bits. */
static const struct tree_expr *exact_of_size(struct arena *arena, const struct simd *simd, const struct tree_expr *expr,
                                             enum type type)
{
    static const enum type others[TYPE_F64 + 1] = {
        [TYPE_I8] = TYPE_U8, [TYPE_I16] = TYPE_U16, [TYPE_U8] = TYPE_I8, [TYPE_U16] = TYPE_I16};
    const struct tree_expr *same = exact(arena, simd, expr, type);

    return same || !others[type] ? same : exact(arena, simd, expr, others[type]);
}

static const struct tree_expr *modular(struct arena *arena, const struct simd *simd, const struct tree_expr *expr,
                                       enum type type);

/* Operators of C must not leave a signed type; instructions wrap around in any. */
static enum type wrapping(const struct simd *simd, enum type type)
{
    return simd->operators ? type_unsigned(type) : type;
}

/* An operation whose low bits are those of its arguments. */
static const struct tree_expr *modular_operation(struct arena *arena, const struct simd *simd,
                                                 const struct tree_expr *expr, enum type type)
{
    static const struct {
        enum expr_op op;
        int args;
        enum vector_op row;
        bool overflows;
    } rows[] = {{OP_ADD, 2, VECTOR_ADD, true},  {OP_SUB, 2, VECTOR_SUB, true}, {OP_MUL, 2, VECTOR_MUL, true},
                {OP_AND, 2, VECTOR_AND, false}, {OP_OR, 2, VECTOR_OR, false},  {OP_XOR, 2, VECTOR_XOR, false},
                {OP_NEG, 1, VECTOR_NEG, true},  {OP_NOT, 1, VECTOR_NOT, false}};
    const struct tree_expr **arg = ARENA_ARRAY(arena, 2, const struct tree_expr *);

    for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
        if (rows[k].op != expr->op || rows[k].args != expr->n_arg || !has(simd, type, rows[k].row))
            continue;
        const enum type within = rows[k].overflows ? wrapping(simd, type) : type;
        for (int a = 0; a < expr->n_arg; a++) {
            arg[a] = modular(arena, simd, expr->arg[a], within);
            if (!arg[a])
                return NULL;
        }
        return tree_expr_cast(arena, type, with_args(arena, expr, within, arg));
    }
    return NULL;
}

static bool has_shift(const struct simd *simd, enum type type, bool left)
{
    return has(simd, type, left ? VECTOR_SHL_ALL : VECTOR_SHR_ALL) || has(simd, type, left ? VECTOR_SHL : VECTOR_SHR);
}

/* A shift by a literal: to the left of low bits, to the right of a value of the type, or of 16 bits, as where the
 * upper half of a sum of products becomes a byte. */
static const struct tree_expr *shift(struct arena *arena, const struct simd *simd, const struct tree_expr *expr,
                                     enum type type)
{
    const bool left = expr->op == OP_SHL;
    const struct tree_expr **arg = ARENA_ARRAY(arena, 2, const struct tree_expr *);
    const struct tree_expr *wider = NULL;

    if (expr->arg[1]->kind != TREE_INT || expr->arg[1]->integer < 1)
        return NULL;
    if (expr->arg[1]->integer < type_bits(type) && has_shift(simd, type, left))
        arg[0] = left ? modular(arena, simd, expr->arg[0], wrapping(simd, type))
                      : exact_of_size(arena, simd, expr->arg[0], type);
    if (!arg[0] && type_bits(type) < 16)
        wider = shift(arena, simd, expr, TYPE_U16);
    if (!arg[0])
        return wider ? tree_expr_cast(arena, type, wider) : NULL;
    arg[1] = tree_expr_integer(arena, arg[0]->type, expr->arg[1]->integer);
    return tree_expr_cast(arena, type, with_args(arena, expr, arg[0]->type, arg));
}

static const struct tree_expr *choice(struct arena *arena, const struct simd *simd, const struct tree_expr *expr,
                                      enum type type)
{
    const struct tree_expr **arg = ARENA_ARRAY(arena, 3, const struct tree_expr *);

    arg[0] = expr->arg[0];
    for (int k = 1; k < 3; k++) {
        arg[k] = modular(arena, simd, expr->arg[k], type);
        if (!arg[k])
            return NULL;
    }
    return has(simd, type, VECTOR_SELECT) ? with_args(arena, expr, type, arg) : NULL;
}

/* A minimum or maximum of 16 bits, which becomes a byte. */
static const struct tree_expr *extreme_of_16(struct arena *arena, const struct simd *simd, const struct tree_expr *expr,
                                             enum type type)
{
    const struct tree_expr *same = type_bits(type) < 16 ? exact_of_size(arena, simd, expr, TYPE_I16) : NULL;

    return same ? tree_expr_cast(arena, type, same) : NULL;
}

/* An operation of which the low bits are looked for. */
static const struct tree_expr *low_bits(struct arena *arena, const struct simd *simd, const struct tree_expr *expr,
                                        enum type type)
{
    if (expr->kind == TREE_SELECT)
        return choice(arena, simd, expr, type);
    if (expr->kind == TREE_CALL)
        return extreme_of_16(arena, simd, expr, type);
    if (expr->kind == TREE_BINARY && (expr->op == OP_SHL || expr->op == OP_SHR))
        return shift(arena, simd, expr, type);
    return expr->kind == TREE_BINARY || expr->kind == TREE_UNARY ? modular_operation(arena, simd, expr, type) : NULL;
}

/* Something of type that is the same as expr modulo 2^n; NULL: there is no such form. */
static const struct tree_expr *modular(struct arena *arena, const struct simd *simd, const struct tree_expr *expr,
                                       enum type type)
{
    const struct tree_expr *same;

    if (!is_integer(expr->type))
        return NULL;
    if (expr->kind == TREE_INT)
        return tree_expr_integer(arena, type, narrow_wrapped(type, expr->integer));
    if (expr->kind == TREE_CAST && is_integer(expr->arg[0]->type) && type_bits(expr->arg[0]->type) == type_bits(type) &&
        type_bits(expr->type) > type_bits(type))
        return tree_expr_cast(arena, type, expr->arg[0]);
    same = exact_of_size(arena, simd, expr, type);
    if (same)
        return tree_expr_cast(arena, type, same);
    return low_bits(arena, simd, expr, type);
}

static const struct tree_expr *narrow_comparison(struct arena *arena, const struct simd *simd,
                                                 const struct tree_expr *expr)
{
    const bool first = expr->arg[0]->kind == TREE_CAST, second = expr->arg[1]->kind == TREE_CAST;
    const enum type type = first ? expr->arg[0]->arg[0]->type : second ? expr->arg[1]->arg[0]->type : TYPE_NONE;
    const struct tree_expr **arg = ARENA_ARRAY(arena, 2, const struct tree_expr *);

    if (!is_narrow(type) || !is_integer(expr->arg[0]->type) || !has(simd, type, VECTOR_EQ) ||
        !has(simd, type, VECTOR_SELECT))
        return expr;
    for (int k = 0; k < 2; k++) {
        arg[k] = exact(arena, simd, expr->arg[k], type);
        if (!arg[k])
            return expr;
    }
    return with_args(arena, expr, expr->type, arg);
}

const struct tree_expr *narrow_expr(struct arena *arena, const struct simd *simd, const struct tree_expr *expr)
{
    const struct tree_expr *result = NULL;

    if (expr->kind == TREE_BINARY && expr->op >= OP_LT && expr->op <= OP_NE)
        return narrow_comparison(arena, simd, expr);
    if (expr->kind == TREE_CAST && is_narrow(expr->type) && is_integer(expr->arg[0]->type) &&
        type_bits(expr->arg[0]->type) > type_bits(expr->type))
        result = modular(arena, simd, expr->arg[0], expr->type);
    return result ? result : expr;
}
