#include "target/clike/types.h"

#include <inttypes.h>
#include <string.h>

static const char *const type_names[] = {
    [TYPE_NONE] = "int64_t", [TYPE_BOOL] = "bool",    [TYPE_I8] = "int8_t",        [TYPE_I16] = "int16_t",
    [TYPE_I32] = "int32_t",  [TYPE_I64] = "int64_t",  [TYPE_U8] = "uint8_t",       [TYPE_U16] = "uint16_t",
    [TYPE_U32] = "uint32_t", [TYPE_U64] = "uint64_t", [TYPE_F16] = "polynest_f16", [TYPE_BF16] = "uint16_t",
    [TYPE_F32] = "float",    [TYPE_F64] = "double",
};

const char *c_type_name(enum type type)
{
    return type_names[type];
}

int c_type_bytes(enum type type)
{
    return type == TYPE_BOOL ? 1 : type_bits(type) / 8;
}

enum type c_common_type(enum type a, enum type b)
{
    const bool a_float = type_is_float(a), b_float = type_is_float(b);

    if (a_float || b_float)
        return a_float && (!b_float || type_bits(a) >= type_bits(b)) ? a : b;
    a = type_promote(a);
    b = type_promote(b);
    if (type_bits(a) != type_bits(b))
        return type_bits(a) > type_bits(b) ? a : b;
    return type_is_signed(a) ? b : a;
}

enum type c_unsigned_type(enum type type)
{
    return type == TYPE_I64 || type == TYPE_U64 ? TYPE_U64 : TYPE_U32;
}

bool c_is_int(enum type type)
{
    type = type_promote(type);
    return type == TYPE_I32 || type == TYPE_U32;
}

bool c_widens(enum type from, enum type to)
{
    if (from == to)
        return true;
    if (from == TYPE_BF16 || to == TYPE_BF16 || from == TYPE_F16 || to == TYPE_F16 || to == TYPE_BOOL)
        return false;
    if (type_is_float(from) || type_is_float(to))
        return from == TYPE_F32 && to == TYPE_F64;
    if (type_is_signed(from) && !type_is_signed(to))
        return false;
    return from == TYPE_BOOL || type_bits(from) < type_bits(to);
}

static void add_unsigned(struct text *out, enum type type, int64_t value, bool bare)
{
    const uint64_t mask = type == TYPE_U64 ? UINT64_MAX : (UINT64_C(1) << type_bits(type)) - 1;
    const uint64_t number = (uint64_t)value & mask;

    if (type != TYPE_U64)
        text_addf(out, "%" PRIu64 "%s", number, type == TYPE_U32 ? "u" : "");
    else if (bare && number <= UINT32_MAX)
        text_addf(out, "%" PRIu64 "u", number);
    else
        text_addf(out, "UINT64_C(%" PRIu64 ")", number);
}

static void add_signed(struct text *out, enum type type, int64_t value, bool bare)
{
    if (value == INT64_MIN)
        text_add(out, "INT64_MIN");
    else if (type == TYPE_I32 && value == INT32_MIN)
        text_add(out, "INT32_MIN");
    else if (type != TYPE_I64 || (bare && value > INT32_MIN && value <= INT32_MAX))
        text_addf(out, "%" PRId64, value);
    else
        text_addf(out, "%sINT64_C(%" PRId64 ")", value < 0 ? "-" : "", value < 0 ? -value : value);
}

void c_int_literal(struct text *out, enum type type, int64_t value, bool bare)
{
    if (type == TYPE_BOOL)
        text_add(out, value ? "true" : "false");
    else if (type_is_float(type))
        text_addf(out, "%" PRId64 ".0%s", value, type == TYPE_F64 ? "" : "f");
    else if (type_is_signed(type) || type == TYPE_NONE)
        add_signed(out, type == TYPE_NONE ? TYPE_I64 : type, value, bare);
    else
        add_unsigned(out, type, value, bare);
}

void c_real_literal(struct text *out, enum type type, const char *spelling)
{
    text_add(out, spelling);
    if (strstr(spelling, "INFINITY"))
        return;
    if (!strpbrk(spelling, ".eEpP"))
        text_add(out, ".0");
    if (type != TYPE_F64)
        text_char(out, 'f');
}
