/* C's arithmetic on typed values, one operation at a time. */
#include "datum.h"

#include "half.h"

#include <math.h>
#include <string.h>

static void undefined(struct blame *blame, const char *reason)
{
    if (!blame->reason)
        blame->reason = reason;
}

static int64_t wrap(enum type type, int64_t value)
{
    switch (type) {
    case TYPE_BOOL:
        return value != 0;
    case TYPE_I8:
        return (int8_t)value;
    case TYPE_I16:
        return (int16_t)value;
    case TYPE_I32:
        return (int32_t)value;
    case TYPE_U8:
        return (uint8_t)value;
    case TYPE_U16:
        return (uint16_t)value;
    case TYPE_U32:
        return (uint32_t)value;
    default:
        return value;
    }
}

static double round_real(enum type type, double value)
{
    switch (type) {
    case TYPE_F16:
        return f16_round(value);
    case TYPE_BF16:
        return bf16_round(value);
    case TYPE_F32:
        return (float)value;
    default:
        return value;
    }
}

struct datum datum_integer(enum type type, int64_t value)
{
    return (struct datum){.type = type, .integer = wrap(type, value)};
}

struct datum datum_real(enum type type, double value)
{
    return (struct datum){.type = type, .real = round_real(type, value)};
}

bool datum_true(struct datum value)
{
    return type_is_float(value.type) ? value.real != 0 : value.integer != 0;
}

/* One rounding, straight from the integer, as C does it. */
static struct datum integer_to_real(struct datum value, enum type type)
{
    const bool is_unsigned = !type_is_signed(value.type);

    if (type == TYPE_F64)
        return datum_real(type, is_unsigned ? (double)(uint64_t)value.integer : (double)value.integer);
    return datum_real(type, is_unsigned ? (float)(uint64_t)value.integer : (float)value.integer);
}

static struct datum real_to_integer(double real, enum type type, struct blame *blame)
{
    const double whole = trunc(real);
    const int bits = type_bits(type);
    const bool is_signed = type_is_signed(type);
    const double low = is_signed ? -ldexp(1, bits - 1) : 0, high = ldexp(1, is_signed ? bits - 1 : bits);

    if (type == TYPE_BOOL)
        return datum_integer(type, real != 0);
    if (!(whole >= low && whole < high)) {
        undefined(blame, "a floating value does not fit the integer type");
        return datum_integer(type, 0);
    }
    return datum_integer(type, is_signed ? (int64_t)whole : (int64_t)(uint64_t)whole);
}

struct datum datum_convert(struct datum value, enum type type, struct blame *blame)
{
    if (type == TYPE_NONE || type == value.type)
        return value;
    if (!type_is_float(value.type))
        return type_is_float(type) ? integer_to_real(value, type) : datum_integer(type, value.integer);
    return type_is_float(type) ? datum_real(type, value.real) : real_to_integer(value.real, type, blame);
}

enum type datum_common(enum type a, enum type b)
{
    a = type_promote(a);
    b = type_promote(b);
    if (a == TYPE_F64 || b == TYPE_F64)
        return TYPE_F64;
    if (type_is_float(a) || type_is_float(b))
        return TYPE_F32;
    if (type_bits(a) != type_bits(b))
        return type_bits(a) > type_bits(b) ? a : b;
    return type_is_signed(a) ? b : a;
}

static bool compare(enum expr_op op, int order)
{
    switch (op) {
    case OP_LT:
        return order < 0;
    case OP_LE:
        return order <= 0;
    case OP_GT:
        return order > 0;
    case OP_GE:
        return order >= 0;
    case OP_EQ:
        return order == 0;
    default:
        return order != 0;
    }
}

static bool compare_reals(enum expr_op op, double a, double b)
{
    if (isnan(a) || isnan(b))
        return op == OP_NE;
    return compare(op, a < b ? -1 : a > b);
}

static bool compare_integers(enum expr_op op, enum type type, int64_t a, int64_t b)
{
    if (type_is_signed(type))
        return compare(op, a < b ? -1 : a > b);
    return compare(op, (uint64_t)a < (uint64_t)b ? -1 : (uint64_t)a > (uint64_t)b);
}

static bool compare_data(enum expr_op op, struct datum a, struct datum b, struct blame *blame)
{
    const enum type type = datum_common(a.type, b.type);

    a = datum_convert(a, type, blame);
    b = datum_convert(b, type, blame);
    return type_is_float(type) ? compare_reals(op, a.real, b.real) : compare_integers(op, type, a.integer, b.integer);
}

static double float_arithmetic(enum expr_op op, float a, float b)
{
    switch (op) {
    case OP_ADD:
        return a + b;
    case OP_SUB:
        return a - b;
    case OP_MUL:
        return a * b;
    default:
        return a / b;
    }
}

static double double_arithmetic(enum expr_op op, double a, double b)
{
    switch (op) {
    case OP_ADD:
        return a + b;
    case OP_SUB:
        return a - b;
    case OP_MUL:
        return a * b;
    default:
        return a / b;
    }
}

static struct datum divide(enum expr_op op, enum type type, int64_t a, int64_t b, struct blame *blame)
{
    if (!b || (b == -1 && a == wrap(type, INT64_MIN >> (64 - type_bits(type))) && type_is_signed(type))) {
        undefined(blame, b ? "signed overflow" : "division by zero");
        return datum_integer(type, 0);
    }
    if (!type_is_signed(type))
        return datum_integer(type, (int64_t)(op == OP_DIV ? (uint64_t)a / (uint64_t)b : (uint64_t)a % (uint64_t)b));
    return datum_integer(type, op == OP_DIV ? a / b : a % b);
}

/* a op b in unlimited precision as far as overflow is concerned: 128 bits hold every sum and product. */
static struct datum add_or_multiply(enum expr_op op, enum type type, int64_t a, int64_t b, struct blame *blame)
{
    const __int128 wide_a = a, wide_b = b;
    const __int128 exact = op == OP_ADD ? wide_a + wide_b : op == OP_SUB ? wide_a - wide_b : wide_a * wide_b;
    const struct datum result = datum_integer(type, (int64_t)(unsigned __int128)exact);

    if (type_is_signed(type) && exact != result.integer)
        undefined(blame, "signed overflow");
    return result;
}

static struct datum integer_arithmetic(enum expr_op op, enum type type, int64_t a, int64_t b, struct blame *blame)
{
    switch (op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
        return add_or_multiply(op, type, a, b, blame);
    case OP_AND:
        return datum_integer(type, a & b);
    case OP_OR:
        return datum_integer(type, a | b);
    case OP_XOR:
        return datum_integer(type, a ^ b);
    default:
        return divide(op, type, a, b, blame);
    }
}

static struct datum shift(enum expr_op op, struct datum a, struct datum b, struct blame *blame)
{
    const enum type type = type_promote(a.type);
    const uint64_t bits = (uint64_t)a.integer;

    if (b.integer < 0 || b.integer >= type_bits(type)) {
        undefined(blame, "a shift by more than the width");
        return datum_integer(type, 0);
    }
    if (op == OP_SHR)
        return datum_integer(type, type_is_signed(type) ? a.integer >> b.integer : (int64_t)(bits >> b.integer));
    const struct datum result = datum_integer(type, (int64_t)(bits << b.integer));
    if (type_is_signed(type) && (a.integer < 0 || result.integer < 0 || result.integer >> b.integer != a.integer))
        undefined(blame, "signed overflow");
    return result;
}

static struct datum arithmetic(enum expr_op op, struct datum a, struct datum b, struct blame *blame)
{
    const enum type type = datum_common(a.type, b.type);

    a = datum_convert(a, type, blame);
    b = datum_convert(b, type, blame);
    if (type == TYPE_F32)
        return datum_real(type, float_arithmetic(op, (float)a.real, (float)b.real));
    if (type == TYPE_F64)
        return datum_real(type, double_arithmetic(op, a.real, b.real));
    return integer_arithmetic(op, type, a.integer, b.integer, blame);
}

static struct datum choose(bool less, struct datum a, struct datum b, struct blame *blame)
{
    return datum_convert(less ? a : b, datum_common(a.type, b.type), blame);
}

struct datum datum_binary(enum expr_op op, struct datum a, struct datum b, struct blame *blame)
{
    switch (op) {
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
    case OP_EQ:
    case OP_NE:
        return datum_integer(TYPE_I32, compare_data(op, a, b, blame));
    case OP_LAND:
        return datum_integer(TYPE_I32, datum_true(a) && datum_true(b));
    case OP_LOR:
        return datum_integer(TYPE_I32, datum_true(a) || datum_true(b));
    case OP_SHL:
    case OP_SHR:
        return shift(op, a, b, blame);
    case OP_MIN:
        return choose(compare_data(OP_LT, a, b, blame), a, b, blame);
    case OP_MAX:
        return choose(compare_data(OP_GT, a, b, blame), a, b, blame);
    default:
        return arithmetic(op, a, b, blame);
    }
}

struct datum datum_unary(enum expr_op op, struct datum a, struct blame *blame)
{
    const enum type type = type_promote(a.type);

    a = datum_convert(a, type, blame);
    if (op == OP_LNOT)
        return datum_integer(TYPE_I32, !datum_true(a));
    if (op == OP_NOT)
        return datum_integer(type, ~a.integer);
    if (type_is_float(type))
        return datum_real(type, -a.real);
    return add_or_multiply(OP_SUB, type, 0, a.integer, blame);
}

#define CALL_1(function) function(a)
#define CALL_2(function) function(a, b)
#define CALL_3(function) function(a, b, c)

static double float_function(enum function function, float a, float b, float c)
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

static double double_function(enum function function, double a, double b, double c)
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

static struct datum real_call(enum function function, enum type type, const struct datum *arg, struct blame *blame)
{
    double value[3] = {0, 0, 0};

    for (int k = 0; k < function_arity(function); k++)
        value[k] = datum_convert(arg[k], type, blame).real;
    if (type == TYPE_F32)
        return datum_real(type, float_function(function, (float)value[0], (float)value[1], (float)value[2]));
    return datum_real(type, double_function(function, value[0], value[1], value[2]));
}

static struct datum integer_call(enum function function, struct datum arg, struct blame *blame)
{
    if (function == FUNCTION_ABS && type_is_signed(arg.type) && arg.integer < 0)
        return datum_unary(OP_NEG, arg, blame);
    if (function != FUNCTION_ABS)
        undefined(blame, "a floating function of an integer");
    return arg;
}

/* What a call of a function depends on once it has read the value. */
static struct datum take(struct datum before, struct datum value)
{
    uint64_t bits = (uint64_t)value.integer;

    if (type_is_float(value.type))
        memcpy(&bits, &value.real, sizeof(bits));
    bits = (bits ^ (uint64_t)before.integer) * UINT64_C(0x9e3779b97f4a7c15);
    return datum_integer(TYPE_U64, (int64_t)(bits ^ (bits >> 29)));
}

/* And what it then writes: the highest seven bits, one of them for a bool. */
static struct datum give(enum type type, struct datum from)
{
    const int64_t value = (int64_t)((uint64_t)from.integer >> 57);

    if (type_is_float(type))
        return datum_real(type, (double)value);
    return datum_integer(type, type == TYPE_BOOL ? value % 2 : value);
}

struct datum datum_call(enum function function, enum type type, const struct datum *arg, struct blame *blame)
{
    const struct datum zero = datum_integer(TYPE_I32, 0);

    switch (function) {
    case FUNCTION_TAKE:
        return take(arg[0], arg[1]);
    case FUNCTION_GIVE:
        return give(type, arg[0]);
    case FUNCTION_MIN:
        return datum_convert(datum_binary(OP_MIN, arg[0], arg[1], blame), type, blame);
    case FUNCTION_MAX:
        return datum_convert(datum_binary(OP_MAX, arg[0], arg[1], blame), type, blame);
    case FUNCTION_RELU:
        return datum_convert(datum_binary(OP_MAX, arg[0], zero, blame), type, blame);
    default:
        break;
    }
    type = type_promote(type);
    if (type_is_float(type))
        return real_call(function, type, arg, blame);
    return integer_call(function, datum_convert(arg[0], type, blame), blame);
}

int datum_size(enum type type)
{
    return type == TYPE_BOOL ? 1 : type_bits(type) / 8;
}

/* The integer whose lowest bytes are an element's. */
static uint64_t load_bytes(enum type type, const void *bytes)
{
    uint64_t value = 0;

    memcpy(&value, bytes, (size_t)datum_size(type));
    return value;
}

struct datum datum_load(enum type type, const void *bytes)
{
    float single;
    double real;

    switch (type) {
    case TYPE_F16:
        return datum_real(type, f16_value((uint16_t)load_bytes(type, bytes)));
    case TYPE_BF16:
        return datum_real(type, bf16_value((uint16_t)load_bytes(type, bytes)));
    case TYPE_F32:
        memcpy(&single, bytes, sizeof(single));
        return datum_real(type, single);
    case TYPE_F64:
        memcpy(&real, bytes, sizeof(real));
        return datum_real(type, real);
    default:
        return datum_integer(type, (int64_t)load_bytes(type, bytes));
    }
}

void datum_store(struct datum value, void *bytes)
{
    const float single = (float)value.real;
    uint64_t bits = (uint64_t)value.integer;

    if (value.type == TYPE_F32)
        memcpy(&bits, &single, sizeof(single));
    else if (value.type == TYPE_F64)
        memcpy(&bits, &value.real, sizeof(value.real));
    else if (type_is_float(value.type))
        bits = value.type == TYPE_F16 ? f16_bits(value.real) : bf16_bits(value.real);
    memcpy(bytes, &bits, (size_t)datum_size(value.type));
}
