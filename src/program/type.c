#include "program/type.h"

#include <stddef.h>
#include <string.h>

enum { SIGNED = 1, FLOAT = 2 };

struct type_row {
    const char *name;
    int bits;
    int flags;
    enum type promoted;
};

static const struct type_row rows[] = {
    [TYPE_NONE] = {"none", 0, 0, TYPE_NONE},
    [TYPE_BOOL] = {"bool", 8, 0, TYPE_I32},
    [TYPE_I8] = {"i8", 8, SIGNED, TYPE_I32},
    [TYPE_I16] = {"i16", 16, SIGNED, TYPE_I32},
    [TYPE_I32] = {"i32", 32, SIGNED, TYPE_I32},
    [TYPE_I64] = {"i64", 64, SIGNED, TYPE_I64},
    [TYPE_U8] = {"u8", 8, 0, TYPE_I32},
    [TYPE_U16] = {"u16", 16, 0, TYPE_I32},
    [TYPE_U32] = {"u32", 32, 0, TYPE_U32},
    [TYPE_U64] = {"u64", 64, 0, TYPE_U64},
    [TYPE_F16] = {"f16", 16, SIGNED | FLOAT, TYPE_F32},
    [TYPE_BF16] = {"bf16", 16, SIGNED | FLOAT, TYPE_F32},
    [TYPE_F32] = {"f32", 32, SIGNED | FLOAT, TYPE_F32},
    [TYPE_F64] = {"f64", 64, SIGNED | FLOAT, TYPE_F64},
};

bool type_by_name(const char *name, enum type *type)
{
    for (int t = TYPE_BOOL; t <= TYPE_F64; t++)
        if (strcmp(rows[t].name, name) == 0) {
            *type = (enum type)t;
            return true;
        }
    return false;
}

const char *type_name(enum type type)
{
    return rows[type].name;
}

int type_bits(enum type type)
{
    return rows[type].bits;
}

bool type_is_float(enum type type)
{
    return rows[type].flags & FLOAT;
}

bool type_is_signed(enum type type)
{
    return rows[type].flags & SIGNED;
}

enum type type_in_lanes(enum type type)
{
    return type == TYPE_BOOL ? TYPE_U8 : type;
}

enum type type_promote(enum type type)
{
    return rows[type].promoted;
}

enum type type_unsigned(enum type type)
{
    static const enum type types[TYPE_F64 + 1] = {
        [TYPE_I8] = TYPE_U8, [TYPE_I16] = TYPE_U16, [TYPE_I32] = TYPE_U32, [TYPE_I64] = TYPE_U64};

    return types[type] ? types[type] : type;
}

/* The bits of a type's integers that are exact, its sign apart. */
static int exact_bits(enum type type)
{
    switch (type) {
    case TYPE_F16:
        return 11;
    case TYPE_BF16:
        return 8;
    case TYPE_F32:
        return 24;
    case TYPE_F64:
        return 53;
    default:
        return type_bits(type) - type_is_signed(type);
    }
}

bool type_holds(enum type to, enum type from)
{
    if (to == from)
        return true;
    if (to == TYPE_BOOL || from == TYPE_BOOL)
        return false;
    if (type_is_float(from))
        return type_is_float(to) && type_bits(to) > type_bits(from);
    if (type_is_signed(from) && !type_is_signed(to))
        return false;
    return exact_bits(to) >= exact_bits(from);
}

int type_digits(enum type type)
{
    return type == TYPE_F64 ? 53 : type == TYPE_F32 ? 24 : type == TYPE_F16 ? 11 : 8;
}

enum type type_less_precise(enum type a, enum type b)
{
    if (!type_is_float(a) || !type_is_float(b))
        return type_is_float(a) ? a : type_is_float(b) ? b : TYPE_NONE;
    return type_digits(a) < type_digits(b) ? a : b;
}
