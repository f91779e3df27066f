#include "read/number.h"

#include "program/expr/half.h"
#include "program/expr/real.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool refuse(struct reader *reader, const struct value *value, enum type type)
{
    diag_error(reader->diags, "range", value->place, "this number is outside the range of %s", type_name(type));
    return false;
}

static const char *spelling_of(struct reader *reader, const struct value *value)
{
    const struct place place = value->place;

    return arena_copy_n(reader->arena, place.source->text + place.offset, place.length);
}

static void store(uint64_t bits, int n, unsigned char *byte)
{
    for (int k = 0; k < n; k++)
        byte[k] = (unsigned char)(bits >> 8 * k);
}

static bool read_unsigned(struct reader *reader, const struct value *value, enum type type, uint64_t *bits)
{
    const uint64_t most = UINT64_MAX >> (64 - type_bits(type));

    errno = 0;
    *bits = value->kind == VALUE_INT ? (uint64_t)value->integer : strtoull(spelling_of(reader, value), NULL, 10);
    return (!errno && *bits <= most && (value->kind != VALUE_INT || value->integer >= 0)) ||
           refuse(reader, value, type);
}

static bool read_signed(struct reader *reader, const struct value *value, enum type type, uint64_t *bits)
{
    const int64_t most = INT64_MAX >> (64 - type_bits(type));
    int64_t number;

    errno = 0;
    number = value->kind == VALUE_INT ? value->integer : strtoll(spelling_of(reader, value), NULL, 10);
    *bits = (uint64_t)number;
    return (!errno && number <= most && number >= -most - 1) || refuse(reader, value, type);
}

/* Integers beyond 2^53 are read from their digits. */
static bool read_integer(struct reader *reader, const struct value *value, enum type type, uint64_t *bits)
{
    const char *spelling = spelling_of(reader, value);

    if (value->kind == VALUE_REAL && spelling[strspn(spelling, "-0123456789")]) {
        diag_error(reader->diags, "number", value->place, "an element of type %s is an integer, written in digits",
                   type_name(type));
        return false;
    }
    if (value->kind == VALUE_REAL && !type_is_signed(type) && spelling[0] == '-')
        return refuse(reader, value, type);
    return type_is_signed(type) ? read_signed(reader, value, type, bits) : read_unsigned(reader, value, type, bits);
}

static bool read_real(struct reader *reader, const struct value *value, enum type type, uint64_t *bits)
{
    const char *spelling = spelling_of(reader, value);
    const double real = real_parse(spelling);
    const float single = real_parse_single(spelling);

    if (type == TYPE_F64) {
        memcpy(bits, &real, sizeof(real));
        return isfinite(real) || refuse(reader, value, type);
    }
    if (type == TYPE_F32) {
        memcpy(bits, &single, sizeof(single));
        return isfinite(single) || refuse(reader, value, type);
    }
    *bits = half_bits(type, real_parse_odd(spelling));
    return isfinite(half_value(type, (uint16_t)*bits)) || refuse(reader, value, type);
}

static bool read_bool(struct reader *reader, const struct value *value, uint64_t *bits)
{
    *bits = (uint64_t)value->integer;
    if (value->kind == VALUE_BOOL || (value->kind == VALUE_INT && (*bits == 0 || *bits == 1)))
        return true;
    diag_error(reader->diags, "kind", value->place, "an element of type bool is true, false, 1 or 0");
    return false;
}

bool read_element(struct reader *reader, const struct value *value, enum type type, unsigned char *byte)
{
    uint64_t bits = 0;
    bool good;

    if (type != TYPE_BOOL && value->kind != VALUE_INT && value->kind != VALUE_REAL) {
        diag_error(reader->diags, "kind", value->place, "an element must be a number, this is %s",
                   value_kind_name(value->kind));
        return false;
    }
    if (type == TYPE_BOOL)
        good = read_bool(reader, value, &bits);
    else if (type_is_float(type))
        good = read_real(reader, value, type, &bits);
    else
        good = read_integer(reader, value, type, &bits);
    store(bits, type_bits(type) / 8, byte);
    return good;
}

int64_t element_integer(enum type type, const unsigned char *byte)
{
    const int bits = type_bits(type);
    uint64_t value = 0;

    for (int k = 0; k < bits / 8; k++)
        value |= (uint64_t)byte[k] << 8 * k;
    if (type_is_float(type))
        return 0;
    return type_is_signed(type) ? (int64_t)(value << (64 - bits)) >> (64 - bits) : (int64_t)value;
}
