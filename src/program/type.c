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

enum type type_promote(enum type type)
{
    return rows[type].promoted;
}
