#include "word.h"

#include <math.h>
#include <string.h>

struct word word_integer(enum type type, int64_t integer)
{
    const int bits = type_bits(type);
    uint64_t raw = (uint64_t)integer;

    if (type == TYPE_BOOL)
        return (struct word){.type = type, .integer = integer != 0};
    if (bits < 64) {
        raw &= ((uint64_t)1 << bits) - 1;
        if (type_is_signed(type) && raw >> (bits - 1))
            raw |= ~(uint64_t)0 << bits;
    }
    return (struct word){.type = type, .integer = (int64_t)raw};
}

/* 2 to the power of n, where that is a normal number. */
static double two_to(int n)
{
    const uint64_t bits = (uint64_t)(1023 + n) << 52;
    double power;

    memcpy(&power, &bits, sizeof(power));
    return power;
}

/* x with `digits` binary digits, ties to even; exponents (as of frexp) below `least` have fewer. */
static double rounded(double x, int digits, int least, double greatest)
{
    int exponent;

    if (x == 0 || !isfinite(x))
        return x;
    frexp(x, &exponent);
    exponent = exponent < least ? least : exponent;
    const double result = rint(x * two_to(digits - exponent)) * two_to(exponent - digits);
    return fabs(result) > greatest ? copysign(INFINITY, x) : result;
}

struct word word_real(enum type type, double real)
{
    const struct word value = {.type = type, .real = real};

    switch (type) {
    case TYPE_F16:
        return (struct word){.type = type, .real = rounded(real, 11, -13, 65504)};
    case TYPE_BF16:
        return (struct word){.type = type, .real = rounded(real, 8, -125, 0x1.fep127)};
    case TYPE_F32:
        return (struct word){.type = type, .real = (float)real};
    default:
        return value;
    }
}

struct word word_poison(enum type type)
{
    return type_is_float(type) ? word_real(type, NAN) : word_integer(type, 0x5BA5A5A5A5A5A5A5);
}

bool word_true(struct word value)
{
    return type_is_float(value.type) ? value.real != 0 : value.integer != 0;
}

static double real_of(struct word value)
{
    if (type_is_float(value.type))
        return value.real;
    return type_is_signed(value.type) ? (double)value.integer : (double)(uint64_t)value.integer;
}

/* Towards zero; what does not fit is any value. */
static int64_t truncated(double real, enum type type)
{
    if (isnan(real) || fabs(real) >= 0x1p64)
        return INT64_MIN;
    return type == TYPE_U64 && real >= 0x1p63 ? (int64_t)(uint64_t)real
           : fabs(real) >= 0x1p63             ? INT64_MIN
                                              : (int64_t)real;
}

/* An integer as a float: rounded once. */
static struct word real_of_integer(struct word value, enum type type)
{
    if (type == TYPE_F32)
        return word_real(type, type_is_signed(value.type) ? (float)value.integer : (float)(uint64_t)value.integer);
    return word_real(type, real_of(value));
}

struct word word_convert(struct word value, enum type type)
{
    if (value.type == type || value.type == TYPE_NONE)
        return value;
    if (type == TYPE_BOOL)
        return word_integer(type, word_true(value));
    if (type_is_float(type))
        return type_is_float(value.type) ? word_real(type, value.real) : real_of_integer(value, type);
    return word_integer(type, type_is_float(value.type) ? truncated(value.real, type) : value.integer);
}

enum type word_common(enum type a, enum type b)
{
    if (a == b)
        return a;
    if (type_is_float(a) || type_is_float(b)) {
        a = type_is_float(a) ? a : b;
        b = type_is_float(b) ? b : a;
        return type_bits(a) >= type_bits(b) ? a : b;
    }
    a = type_promote(a);
    b = type_promote(b);
    if (type_bits(a) == type_bits(b))
        return type_is_signed(a) ? b : a;
    return type_bits(a) > type_bits(b) ? a : b;
}

static struct word truth(bool holds)
{
    return (struct word){.type = TYPE_BOOL, .integer = holds};
}

/* By signed or unsigned comparison, -1, 0 or 1. */
static int compare_integers(struct word a, struct word b)
{
    if (!type_is_signed(a.type) && a.type != TYPE_BOOL)
        return ((uint64_t)a.integer > (uint64_t)b.integer) - ((uint64_t)a.integer < (uint64_t)b.integer);
    return (a.integer > b.integer) - (a.integer < b.integer);
}

static struct word relation(enum expr_op op, struct word a, struct word b)
{
    const bool real = type_is_float(a.type), unordered = real && (isnan(a.real) || isnan(b.real));
    const int order = unordered ? 0 : real ? (a.real > b.real) - (a.real < b.real) : compare_integers(a, b);

    switch (op) {
    case OP_LT:
        return truth(!unordered && order < 0);
    case OP_LE:
        return truth(!unordered && order <= 0);
    case OP_GT:
        return truth(!unordered && order > 0);
    case OP_GE:
        return truth(!unordered && order >= 0);
    case OP_EQ:
        return truth(!unordered && order == 0);
    default:
        return truth(unordered || order != 0);
    }
}

static double real_operation(enum expr_op op, enum type type, double a, double b)
{
    const bool single = type == TYPE_F32;

    switch (op) {
    case OP_ADD:
        return single ? (float)a + (float)b : a + b;
    case OP_SUB:
        return single ? (float)a - (float)b : a - b;
    case OP_MUL:
        return single ? (float)a * (float)b : a * b;
    case OP_DIV:
        return single ? (float)a / (float)b : a / b;
    case OP_MIN:
        return a < b ? a : b;
    case OP_MAX:
        return a > b ? a : b;
    default:
        return NAN;
    }
}

/* Rounded towards zero; division by zero, which no active lane does, gives any value. */
static uint64_t quotient(enum type type, uint64_t a, uint64_t b, bool rest)
{
    if (b == 0)
        return 0x5A;
    if (!type_is_signed(type))
        return rest ? a % b : a / b;
    if (b == UINT64_MAX)
        return rest ? 0 : 0 - a;
    return (uint64_t)(rest ? (int64_t)a % (int64_t)b : (int64_t)a / (int64_t)b);
}

static struct word integer_operation(enum expr_op op, struct word a, struct word b)
{
    const uint64_t x = (uint64_t)a.integer, y = (uint64_t)b.integer;
    const bool less = compare_integers(a, b) < 0;

    switch (op) {
    case OP_ADD:
        return word_integer(a.type, (int64_t)(x + y));
    case OP_SUB:
        return word_integer(a.type, (int64_t)(x - y));
    case OP_MUL:
        return word_integer(a.type, (int64_t)(x * y));
    case OP_DIV:
    case OP_MOD:
        return word_integer(a.type, (int64_t)quotient(a.type, x, y, op == OP_MOD));
    case OP_AND:
        return word_integer(a.type, (int64_t)(x & y));
    case OP_OR:
        return word_integer(a.type, (int64_t)(x | y));
    case OP_XOR:
        return word_integer(a.type, (int64_t)(x ^ y));
    case OP_MIN:
        return less ? a : b;
    case OP_MAX:
        return less ? b : a;
    default:
        return word_poison(a.type);
    }
}

/* In the type of what is shifted; a count outside of it gives any value. */
static struct word shift(enum expr_op op, struct word a, struct word count)
{
    const bool outside = count.integer < 0 || count.integer >= type_bits(a.type);

    if (outside)
        return word_poison(a.type);
    if (op == OP_SHL)
        return word_integer(a.type, (int64_t)((uint64_t)a.integer << count.integer));
    return word_integer(a.type, type_is_signed(a.type) ? a.integer >> count.integer
                                                       : (int64_t)((uint64_t)a.integer >> count.integer));
}

struct word word_binary(enum expr_op op, struct word a, struct word b)
{
    const enum type type = word_common(a.type, b.type);

    if (op == OP_LAND)
        return truth(word_true(a) && word_true(b));
    if (op == OP_LOR)
        return truth(word_true(a) || word_true(b));
    if (op == OP_SHL || op == OP_SHR)
        return shift(op, a, b);
    a = word_convert(a, type);
    b = word_convert(b, type);
    if (op >= OP_LT && op <= OP_NE)
        return relation(op, a, b);
    return type_is_float(type) ? word_real(type, real_operation(op, type, a.real, b.real))
                               : integer_operation(op, a, b);
}

struct word word_unary(enum expr_op op, struct word a)
{
    if (op == OP_LNOT)
        return truth(!word_true(a));
    if (type_is_float(a.type))
        return word_real(a.type, -a.real);
    return word_integer(a.type, op == OP_NOT ? ~a.integer : (int64_t)(0 - (uint64_t)a.integer));
}

#define CALL_1(function) function(a)
#define CALL_2(function) function(a, b)
#define CALL_3(function) function(a, b, c)

static float single_call(enum function function, float a, float b, float c)
{
    switch (function) {
#define CASE(ID, name, arity)                                                                                          \
    case FUNCTION_##ID:                                                                                                \
        return CALL_##arity(name##f);
        LIBRARY_FUNCTIONS(CASE)
#undef CASE
    default:
        return fabsf(a);
    }
}

static double double_call(enum function function, double a, double b, double c)
{
    switch (function) {
#define CASE(ID, name, arity)                                                                                          \
    case FUNCTION_##ID:                                                                                                \
        return CALL_##arity(name);
        LIBRARY_FUNCTIONS(CASE)
#undef CASE
    default:
        return fabs(a);
    }
}

static int64_t floor_quotient(int64_t a, int64_t b)
{
    return b == 0 ? 0 : a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static struct word integer_call(enum function function, enum type type, const struct word *arg)
{
    const int64_t a = arg[0].integer, b = arg[1].integer;

    switch (function) {
    case FUNCTION_FLOOR:
        return word_integer(type, floor_quotient(a, b));
    case FUNCTION_MOD:
        return word_integer(type, a - b * floor_quotient(a, b));
    default:
        return type_is_signed(type) && a < 0 ? word_unary(OP_NEG, arg[0]) : arg[0];
    }
}

/* What a call depends on after it has taken the value, too; any function that tells different values apart. */
static struct word taken(struct word before, struct word value)
{
    uint64_t bits = (uint64_t)value.integer;

    if (type_is_float(value.type))
        memcpy(&bits, &value.real, sizeof(bits));
    bits = ((uint64_t)before.integer ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
    return word_integer(TYPE_U64, (int64_t)(bits ^ bits >> 29));
}

/* A value that every type has. */
static struct word given(enum type type, struct word from)
{
    const int64_t small = (int64_t)((uint64_t)from.integer >> 57);

    return type_is_float(type) ? word_real(type, (double)small)
                               : word_integer(type, type == TYPE_BOOL ? small & 1 : small);
}

struct word word_call(enum function function, enum type type, const struct word *arg)
{
    const struct word zero = type_is_float(type) ? word_real(type, 0) : word_integer(type, 0);

    if (function == FUNCTION_TAKE)
        return taken(arg[0], arg[1]);
    if (function == FUNCTION_GIVE)
        return given(type, arg[0]);
    if (function == FUNCTION_MIN || function == FUNCTION_MAX)
        return word_binary(function == FUNCTION_MIN ? OP_MIN : OP_MAX, arg[0], arg[1]);
    if (function == FUNCTION_RELU)
        return word_binary(OP_MAX, arg[0], zero);
    if (!type_is_float(type))
        return integer_call(function, type, arg);
    return word_real(type, type == TYPE_F64
                               ? double_call(function, arg[0].real, arg[1].real, arg[2].real)
                               : single_call(function, (float)arg[0].real, (float)arg[1].real, (float)arg[2].real));
}

int word_size(enum type type)
{
    return type == TYPE_BOOL ? 1 : type_bits(type) / 8;
}

static double f16_of_bits(unsigned bits)
{
    const int exponent = (int)(bits >> 10 & 31);
    const double fraction = bits & 1023, sign = bits & 0x8000 ? -1 : 1;

    if (exponent == 31)
        return fraction != 0 ? NAN : sign * INFINITY;
    return sign * (exponent ? (1024 + fraction) * two_to(exponent - 25) : fraction * two_to(-24));
}

static unsigned f16_bits_of(double real)
{
    const unsigned sign = signbit(real) ? 0x8000 : 0;
    int exponent;

    if (isnan(real))
        return sign | 0x7E00;
    if (isinf(real))
        return sign | 0x7C00;
    real = fabs(real);
    if (real < 0x1p-14)
        return sign | (unsigned)(real * two_to(24));
    const double fraction = frexp(real, &exponent);
    return sign | (((unsigned)(exponent + 14) << 10) + (unsigned)(fraction * 2048 - 1024));
}

struct word word_load(enum type type, const void *bytes)
{
    uint64_t raw = 0;
    float single;
    double real;

    memcpy(&raw, bytes, (size_t)word_size(type));
    switch (type) {
    case TYPE_F16:
        return (struct word){.type = type, .real = f16_of_bits((unsigned)raw)};
    case TYPE_BF16:
        raw <<= 16;
        memcpy(&single, &raw, sizeof(single));
        return (struct word){.type = type, .real = single};
    case TYPE_F32:
        memcpy(&single, bytes, sizeof(single));
        return (struct word){.type = type, .real = single};
    case TYPE_F64:
        memcpy(&real, bytes, sizeof(real));
        return (struct word){.type = type, .real = real};
    default:
        return word_integer(type, (int64_t)raw);
    }
}

void word_store(struct word value, void *bytes)
{
    const float single = (float)value.real;
    uint32_t bits;
    unsigned half;

    switch (value.type) {
    case TYPE_BF16:
        memcpy(&bits, &single, sizeof(bits));
        half = bits >> 16;
        memcpy(bytes, &half, 2);
        return;
    case TYPE_F16:
        half = f16_bits_of(value.real);
        memcpy(bytes, &half, 2);
        return;
    case TYPE_F32:
        memcpy(bytes, &single, sizeof(single));
        return;
    case TYPE_F64:
        memcpy(bytes, &value.real, sizeof(value.real));
        return;
    default:
        memcpy(bytes, &value.integer, (size_t)word_size(value.type));
    }
}
