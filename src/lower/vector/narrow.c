#include "lower/vector/narrow.h"

#include "program/expr/interval.h"
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

/* The values of an integer of at most 32 bits, by its type and those of what it is made of. */
static struct range range_of(const struct tree_expr *expr)
{
    const struct range type = type_range(expr->type);
    struct range inner;

    switch (expr->kind) {
    case TREE_INT:
        return (struct range){expr->integer, expr->integer};
    case TREE_CAST:
        inner = is_integer(expr->arg[0]->type) ? range_of(expr->arg[0]) : type;
        return fits(expr->type, inner.least) && fits(expr->type, inner.greatest) ? inner : type;
    case TREE_BINARY:
        if (expr->type != TYPE_I32 || expr->op >= OP_LT)
            return type;
        return range_of_binary(expr->op, expr->type, range_of(expr->arg[0]), range_of(expr->arg[1]));
    case TREE_CALL:
        if (expr->type != TYPE_I32 || (expr->function != FUNCTION_MIN && expr->function != FUNCTION_MAX))
            return type;
        return range_of_call(expr->function, expr->type, range_of(expr->arg[0]), range_of(expr->arg[1]));
    default:
        return type;
    }
}

static const struct tree_expr *low_bits(struct arena *arena, const struct simd *simd, const struct tree_expr *expr,
                                        enum type type);

/* An operation in int all of whose values type holds: its low bits are its value. NULL: it is none. */
static const struct tree_expr *fitting(struct arena *arena, const struct simd *simd, const struct tree_expr *expr,
                                       enum type type)
{
    const struct range range = is_integer(expr->type) ? range_of(expr) : type_range(TYPE_I64);

    if (expr->kind != TREE_BINARY || !fits(type, range.least) || !fits(type, range.greatest))
        return NULL;
    return low_bits(arena, simd, expr, type);
}

/* Is argument k of the minimum or maximum the limit of type, and the other one an operation? It changes nothing then,
 * which values' flow does not know: it has types of operations, but no ranges. */
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

/* The low bits of an operation, in type; NULL: there is no such form. */
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
