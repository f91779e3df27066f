#include "lower/flow/flow_term_parts.h"

#include "program/program.h"

#include <math.h>

uint64_t flow_term_mix(uint64_t a, uint64_t b)
{
    uint64_t z = (a + 0x9E3779B97F4A7C15u) * 0xBF58476D1CE4E5B9u;

    z = (z ^ z >> 31 ^ b) * 0x94D049BB133111EBu;
    z = (z ^ z >> 29) * 0xD6E8FEB86659FD93u;
    return z ^ z >> 32;
}

struct term flow_term_poison(void)
{
    return (struct term){.kind = TERM_POISON};
}

struct term flow_term_number(int64_t number)
{
    return (struct term){.hash = (uint64_t)number, .kind = TERM_NUMBER, .type = TYPE_I64};
}

struct term flow_term_value(enum type type, uint64_t hash)
{
    return (struct term){.hash = hash, .kind = TERM_VALUE, .type = (unsigned char)type};
}

uint64_t flow_term_infinite(void)
{
    return flow_term_mix(TAG_INFINITE, 0);
}

/* Whole numbers up to here are exact in a type. */
static int64_t most_exact(enum type type)
{
    switch (type) {
    case TYPE_F16:
        return 1 << 11;
    case TYPE_BF16:
        return 1 << 8;
    case TYPE_F32:
        return 1 << 24;
    default:
        return (int64_t)1 << 53;
    }
}

struct term flow_term_real(enum type type, double real)
{
    const double size = fabs(real);
    uint64_t hash = flow_term_infinite();

    if (size <= 1 << 24 && floor(size) == size)
        return flow_term_number((int64_t)real);
    if (!isinf(size)) {
        union {
            double real;
            uint64_t bits;
        } as = {size};
        hash = flow_term_mix(TAG_REAL, as.bits);
    }
    type = size == (double)(float)size ? TYPE_F32 : type;
    return flow_term_value(type, real < 0 ? 0 - hash : hash);
}

bool flow_term_range(enum type type, int64_t *least, int64_t *most)
{
    const int bits = type_bits(type);
    const bool is_signed = type_is_signed(type);

    if (type_is_float(type) || type == TYPE_NONE)
        return false;
    *most = bits == 64 ? INT64_MAX : (int64_t)((uint64_t)1 << (bits - is_signed)) - 1;
    *least = is_signed ? -*most - 1 : 0;
    return true;
}

/* The number as one of a type of integers. */
static uint64_t wrapped_in(enum type type, uint64_t number)
{
    const int bits = type_bits(type);
    int64_t least, most;

    if (bits == 64 || !flow_term_range(type, &least, &most) || ((int64_t)number >= least && (int64_t)number <= most))
        return number;
    number &= ((uint64_t)1 << bits) - 1;
    return type_is_signed(type) && number >> (bits - 1) ? number | ~(uint64_t)0 << bits : number;
}

static uint64_t wrapped(const struct algebra *algebra, enum type type, uint64_t number)
{
    return algebra->wraps && type_bits(type) < 32 ? wrapped_in(type, number) : number;
}

struct term flow_term_leaf(const struct algebra *algebra, enum type type, const char *name, int64_t position)
{
    uint64_t hash = TAG_LEAF;

    for (; *name; name++)
        hash = flow_term_mix(hash, (unsigned char)*name);
    hash = flow_term_mix(hash, (uint64_t)position) | 1;
    return type == TYPE_BOOL ? flow_term_number(hash >> 40 & 1) : flow_term_value(type, wrapped(algebra, type, hash));
}

/* Is the set's number one that no member's value can pass? */
static bool number_shows(struct term set)
{
    int64_t least, most;

    if (!set.has_number || !flow_term_range(set.type, &least, &most))
        return set.has_number;
    switch ((enum expr_op)set.op) {
    case OP_MIN:
        return set.number < most;
    case OP_MAX:
        return set.number > least;
    case OP_AND:
        return set.number != -1 && (type_is_signed(set.type) || set.number != most);
    default:
        return set.number != 0;
    }
}

uint64_t flow_term_identity(struct term a)
{
    const struct term_set *set = (const struct term_set *)(uintptr_t)a.hash;

    if (a.kind != TERM_SET)
        return a.hash;
    if (set->n == 1 && !number_shows(a))
        return set->member[0];
    return flow_term_mix(set->sum + a.op, number_shows(a) ? flow_term_mix(1, (uint64_t)a.number) : 0);
}

bool flow_term_same(struct term a, struct term b)
{
    if (a.kind == TERM_POISON || b.kind == TERM_POISON)
        return a.kind == b.kind;
    return flow_term_identity(a) == flow_term_identity(b);
}

bool flow_term_true(struct term a)
{
    return flow_term_identity(a) != 0;
}

static bool is_negative(uint64_t hash)
{
    return hash >> 63;
}

uint64_t flow_term_size(uint64_t hash)
{
    return is_negative(hash) ? 0 - hash : hash;
}

uint64_t flow_term_signed_mix(uint64_t tag, uint64_t a, uint64_t b, bool sorted)
{
    const uint64_t x = flow_term_size(a), y = flow_term_size(b);
    const uint64_t hash =
        sorted && y < x ? flow_term_mix(flow_term_mix(tag, y), x) : flow_term_mix(flow_term_mix(tag, x), y);

    return is_negative(a) != is_negative(b) ? 0 - hash : hash;
}

static struct term relation(enum expr_op op, struct term a, struct term b)
{
    const int64_t x = (int64_t)flow_term_identity(a), y = (int64_t)flow_term_identity(b);

    switch (op) {
    case OP_LT:
        return flow_term_number(x < y);
    case OP_LE:
        return flow_term_number(x <= y);
    case OP_GT:
        return flow_term_number(x > y);
    case OP_GE:
        return flow_term_number(x >= y);
    case OP_EQ:
        return flow_term_number(x == y);
    default:
        return flow_term_number(x != y);
    }
}

/* Sums and products of rings: numbers stay numbers while they are small. */
static struct term in_ring(enum expr_op op, enum type type, struct term a, struct term b)
{
    const uint64_t x = flow_term_identity(a), y = flow_term_identity(b),
                   hash = op == OP_ADD   ? x + y
                          : op == OP_SUB ? x - y
                                         : x * y;
    struct term sum = flow_term_value(type, hash);

    if (a.kind == TERM_NUMBER && b.kind == TERM_NUMBER && (!type_is_float(type) || flow_term_size(hash) <= 1 << 24))
        sum.kind = TERM_NUMBER;
    return sum;
}

/* Of the bits of two numbers. */
static struct term bits_of(enum expr_op op, enum type type, struct term a, struct term b)
{
    struct term bits = flow_term_value(type, (uint64_t)flow_term_folded(op, (int64_t)flow_term_identity(a),
                                                                        (int64_t)flow_term_identity(b)));

    if (a.kind == TERM_NUMBER && b.kind == TERM_NUMBER)
        bits.kind = TERM_NUMBER;
    return bits;
}

static struct term quotient(enum expr_op op, enum type type, struct term a, struct term b)
{
    const int64_t x = (int64_t)a.hash, y = (int64_t)b.hash;

    if (a.kind == TERM_NUMBER && b.kind == TERM_NUMBER && y != 0 && y != -1 && (!type_is_float(type) || x % y == 0))
        return flow_term_number(op == OP_MOD ? x % y : x / y);
    if (type_is_float(type))
        return flow_term_value(type, flow_term_signed_mix(op, flow_term_identity(a), flow_term_identity(b), false));
    return flow_term_value(type, flow_term_mix(flow_term_mix(op, flow_term_identity(a)), flow_term_identity(b)));
}

static struct term integer_operation(const struct algebra *algebra, enum expr_op op, enum type type, struct term a,
                                     struct term b)
{
    switch (op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
        return in_ring(op, type, a, b);
    case OP_DIV:
    case OP_MOD:
        return quotient(op, type, a, b);
    case OP_SHL:
        if (b.kind == TERM_NUMBER && b.hash < 64)
            return in_ring(OP_MUL, type, a, flow_term_number((int64_t)((uint64_t)1 << b.hash)));
        return flow_term_value(type, flow_term_mix(flow_term_mix(op, flow_term_identity(a)), flow_term_identity(b)));
    case OP_SHR:
        if (a.kind == TERM_NUMBER && b.kind == TERM_NUMBER && b.hash < 64)
            return flow_term_number((int64_t)a.hash >> b.hash);
        /* Without a sign, numbers of 32 bits and more are not what C shifts. */
        if (algebra->wraps && a.kind == TERM_VALUE && b.kind == TERM_NUMBER && b.hash < 64 &&
            (type_is_signed(type) || type_bits(type) < 32))
            return flow_term_value(type, (uint64_t)((int64_t)a.hash >> b.hash));
        return flow_term_value(type, flow_term_mix(flow_term_mix(op, flow_term_identity(a)), flow_term_identity(b)));
    default:
        return algebra->wraps && op != OP_MIN && op != OP_MAX ? bits_of(op, type, a, b)
                                                              : flow_term_in_set(algebra, op, type, a, b);
    }
}

/* Floats as they are written. */
static struct term exact_operation(enum expr_op op, uint64_t tag, enum type type, struct term a, struct term b)
{
    const uint64_t x = flow_term_identity(a), y = flow_term_identity(b);

    switch (op) {
    case OP_ADD:
        return flow_term_value(type, x < y ? flow_term_mix(flow_term_mix(tag, x), y)
                                           : flow_term_mix(flow_term_mix(tag, y), x));
    case OP_MUL:
        return flow_term_value(type, flow_term_signed_mix(tag, x, y, true));
    default:
        return flow_term_value(type, flow_term_mix(flow_term_mix(tag, x), y));
    }
}

static struct term real_operation(const struct algebra *algebra, enum expr_op op, enum type type, struct term a,
                                  struct term b)
{
    const uint64_t tag = op + ((algebra->permit & PERMIT_APPROXIMATE) ? 0 : (uint64_t)type << 8);

    if (op == OP_DIV || op == OP_MOD)
        return quotient(op, type, a, b);
    if (op == OP_MIN || op == OP_MAX)
        return (algebra->permit & PERMIT_REASSOCIATE) || (a.kind == TERM_NUMBER && b.kind == TERM_NUMBER)
                   ? flow_term_in_set(algebra, op, type, a, b)
                   : exact_operation(op, op, type, a, b);
    if ((algebra->permit & PERMIT_REASSOCIATE) || (a.kind == TERM_NUMBER && b.kind == TERM_NUMBER))
        return in_ring(op, type, a, b);
    if (op == OP_SUB)
        return exact_operation(OP_ADD, tag - OP_SUB + OP_ADD, type, a, flow_term_unary(OP_NEG, b));
    return exact_operation(op, tag, type, a, b);
}

struct term flow_term_binary(const struct algebra *algebra, enum expr_op op, enum type type, struct term a,
                             struct term b)
{
    if (a.kind == TERM_POISON || b.kind == TERM_POISON || a.kind == TERM_GROUP || b.kind == TERM_GROUP)
        return flow_term_poison();
    if (op >= OP_LT && op <= OP_NE)
        return relation(op, a, b);
    if (op == OP_LAND || op == OP_LOR)
        return flow_term_number(op == OP_LAND ? flow_term_true(a) && flow_term_true(b)
                                              : flow_term_true(a) || flow_term_true(b));
    return type_is_float(type) ? real_operation(algebra, op, type, a, b) : integer_operation(algebra, op, type, a, b);
}

struct term flow_term_unary(enum expr_op op, struct term a)
{
    const enum term_kind kind = a.kind == TERM_NUMBER ? TERM_NUMBER : TERM_VALUE;
    const uint64_t hash = flow_term_identity(a);
    const enum type type = type_is_float(a.type) ? a.type : type_promote(a.type);

    if (a.kind == TERM_POISON || a.kind == TERM_GROUP)
        return flow_term_poison();
    if (op == OP_LNOT)
        return flow_term_number(!flow_term_true(a));
    return (
        struct term){.hash = op == OP_NOT ? ~hash : 0 - hash, .kind = (unsigned char)kind, .type = (unsigned char)type};
}

/* Sums that wrap around are computed as u32: there a negative number is itself, as what is unknown is. algebra: NULL
 * for data, which are what they are. */
static struct term in_type(const struct algebra *algebra, enum type type, struct term a)
{
    const bool itself = type == TYPE_U32 && (int64_t)a.hash < 0 && (int64_t)a.hash >= INT32_MIN;
    const uint64_t wrapped = itself ? a.hash : wrapped_in(type, a.hash);

    if (wrapped == a.hash)
        return a;
    if (algebra && algebra->narrowed && type_bits(type) < 32)
        *algebra->narrowed = true;
    return flow_term_number((int64_t)wrapped);
}

/* Do roundings of floats to smaller types not show? */
static bool hides_rounding(const struct algebra *algebra)
{
    return algebra->permit & (PERMIT_APPROXIMATE | PERMIT_REASSOCIATE);
}

static struct term number_in(const struct algebra *algebra, enum type type, struct term a)
{
    if (!type_is_float(type))
        return in_type(algebra, type, a);
    return flow_term_size(a.hash) <= (uint64_t)most_exact(type) || hides_rounding(algebra)
               ? a
               : flow_term_value(type, flow_term_signed_mix(TAG_CAST, type, a.hash, false));
}

/* Its number shows as it did before, or it is a set no more. */
static struct term set_in(enum type type, struct term a)
{
    struct term set = a;

    set.type = (unsigned char)type;
    return number_shows(set) == number_shows(a) ? set : flow_term_value(type, flow_term_identity(a));
}

/* To a type that may not hold it. */
static struct term rounded(const struct algebra *algebra, enum type type, struct term a)
{
    const enum type from = a.type;
    const uint64_t hash = flow_term_identity(a);

    if (type_is_float(from) && type_is_float(type)) {
        if (!hides_rounding(algebra))
            return flow_term_value(type, flow_term_signed_mix(TAG_CAST, type, hash, false));
        a.type = (unsigned char)type;
        return a;
    }
    if (type_is_float(from) || type_is_float(type))
        return flow_term_value(type, wrapped(algebra, type,
                                             flow_term_signed_mix(TAG_CAST, type_is_float(type) ? type : TYPE_I64, hash,
                                                                  false)));
    if (a.kind == TERM_SET)
        return set_in(type, a);
    a.type = (unsigned char)type;
    a.hash = wrapped(algebra, type, a.hash);
    return a;
}

struct term flow_term_convert(const struct algebra *algebra, enum type type, struct term a)
{
    if (a.kind == TERM_POISON || a.kind == TERM_GROUP || type == TYPE_NONE)
        return a;
    if (type == TYPE_BOOL)
        return flow_term_number(flow_term_true(a));
    if (a.kind == TERM_NUMBER)
        return number_in(algebra, type, a);
    return type_holds(type, a.type) ? a : rounded(algebra, type, a);
}
