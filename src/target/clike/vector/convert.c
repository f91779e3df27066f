#include "target/clike/vector/each.h"

#include <string.h>

static bool is_integer(enum type type)
{
    return !type_is_float(type) && type != TYPE_BOOL;
}

/* The row that makes lanes of `to` of lanes of `from`, "{a}" where these are the same; NULL: there is none. */
static const char *conversion_row(const struct vec_lanes *lanes, enum type from, enum type to, const char **flags)
{
    const struct simd_type *simd = vec_register(lanes, from), *wanted = vec_register(lanes, to);
    const struct simd_conversion *row = simd_conversion_of(lanes->emitter->simd, from, to, lanes->vector->lanes);

    *flags = NULL;
    if (!simd || !wanted)
        return from == to ? "{a}" : NULL;
    if (from != to && lanes->emitter->simd->operators && is_integer(from) && type_unsigned(from) == type_unsigned(to))
        return "({t}){a}";
    if (from != to && row) {
        *flags = row->flags;
        return row->row;
    }
    return from == to || (is_integer(from) && is_integer(to) && type_bits(from) == type_bits(to) &&
                          strcmp(simd->name, wanted->name) == 0)
               ? "{a}"
               : NULL;
}

static bool converts(const struct vec_lanes *lanes, enum type from, enum type to)
{
    const char *flags;

    return conversion_row(lanes, from, to, &flags) != NULL;
}

/* a, lanes of `from`, as lanes of `to`, for which there is a row. */
static const char *converted(struct vec_lanes *lanes, const char *a, enum type from, enum type to)
{
    const char *flags, *row = conversion_row(lanes, from, to, &flags);

    if (strcmp(row, "{a}") == 0)
        return a;
    vec_need_flags(lanes->emitter, flags);
    return vec_filled(lanes, row, &(struct vec_operands){.a = a}, to);
}

/* The signed type of an integer one, as far as vectors are the same. */
enum type vec_signed_type(enum type type)
{
    static const enum type signs[TYPE_F64 + 1] = {
        [TYPE_U8] = TYPE_I8, [TYPE_U16] = TYPE_I16, [TYPE_U32] = TYPE_I32, [TYPE_U64] = TYPE_I64};

    return signs[type] ? signs[type] : type;
}

/* Has `via` every value of the integer type? */
static bool has_all(enum type via, enum type type)
{
    if (!is_integer(via) || !is_integer(type))
        return false;
    return via == type || type_bits(via) > type_bits(type) + (type_is_signed(via) ? 0 : 64 * type_is_signed(type));
}

/* Is `from` to `to` the same by way of `via`? Integers are converted modulo 2^n; floats that do not fit an integer have
 * no value; what becomes an f16 or bf16 is rounded to f32 first, as the scalar code does, but for f64 to f16. */
static bool keeps(enum type from, enum type via, enum type to)
{
    if (is_integer(from) && is_integer(via))
        return has_all(via, from) || (is_integer(to) && type_bits(via) >= type_bits(to));
    if (is_integer(via))
        return has_all(via, to);
    if (via != TYPE_F32 || type_bits(from) == 16)
        return via == TYPE_F32 && type_is_float(from);
    return type_bits(to) == 16 && type_is_float(to) && (from != TYPE_F64 || to == TYPE_BF16);
}

/* The type that `from` becomes first on the way to `to`, `most` conversions long; TYPE_NONE: there is no such way. */
static enum type next_type(const struct vec_lanes *lanes, enum type from, enum type to, int most)
{
    const enum type vias[] = {type_promote(from), vec_signed_type(to), type_promote(to),
                              vec_signed_type(type_promote(from))};

    if (converts(lanes, from, to))
        return to;
    for (size_t k = 0; k < sizeof(vias) / sizeof(vias[0]) && most > 1; k++)
        if (vias[k] != from && vias[k] != to && keeps(from, vias[k], to) && converts(lanes, from, vias[k]) &&
            next_type(lanes, vias[k], to, most - 1) != TYPE_NONE)
            return vias[k];
    return TYPE_NONE;
}

/* In as few conversions as there are; NULL: there are none. */
static const char *conversions(struct vec_lanes *lanes, const char *a, enum type from, enum type to)
{
    enum { MOST = 4 };
    int most = 1;

    while (most <= MOST && next_type(lanes, from, to, most) == TYPE_NONE)
        most++;
    if (most > MOST)
        return NULL;
    for (; from != to; most--) {
        const enum type next = next_type(lanes, from, to, most);
        a = converted(lanes, a, from, next);
        from = next;
    }
    return a;
}

const char *vec_conversion(struct vec_lanes *lanes, const char *a, enum type from, enum type to)
{
    const char *text = conversions(lanes, a, from, to);

    text = text ? text : vec_each_conversion(lanes, a, from, to);
    return text ? text
                : vec_lack(lanes, arena_printf(lanes->emitter->arena, "conversions from %s", type_name(from)), to);
}

static bool is_named(const struct simd_type *simd, const char *name)
{
    return simd && strcmp(simd->name, name) == 0;
}

/* The integers that masks of the register are. */
static enum type mask_type(struct vec_lanes *lanes, const struct simd_type *simd)
{
    static const enum type types[][2] = {{TYPE_I8, TYPE_U8},
                                         {TYPE_I16, TYPE_U16},
                                         {TYPE_I32, TYPE_U32},
                                         {TYPE_I64, TYPE_U64}};
    const int bits = type_bits(simd->type);
    const enum type *type = types[bits == 64 ? 3 : bits == 32 ? 2 : bits == 16 ? 1 : 0];

    return is_named(vec_register(lanes, type[1]), simd->mask_name) &&
                   !is_named(vec_register(lanes, type[0]), simd->mask_name)
               ? type[1]
               : type[0];
}

/* All bits of a lane are alike: wider ones are those of signed integers. */
static const char *resized(struct vec_lanes *lanes, const char *mask, enum type from, enum type to)
{
    const enum type narrow = vec_signed_type(from), wide = vec_signed_type(to);
    const char *text;

    if (type_bits(from) > type_bits(to))
        return conversions(lanes, mask, from, to);
    text = conversions(lanes, mask, from, narrow);
    text = text ? conversions(lanes, text, narrow, wide) : NULL;
    return text ? conversions(lanes, text, wide, to) : NULL;
}

/* A mask for lanes of one type as one for lanes of another. */
const char *vec_mask_for(struct vec_lanes *lanes, const char *mask, enum type from, enum type to)
{
    const struct simd_type *simd = vec_register(lanes, from), *wanted = vec_register(lanes, to);
    const char *text;

    if (!simd || !wanted)
        return vec_lack(lanes, "masks", simd ? to : from);
    if (from == to || type_bits(from) == type_bits(to) ||
        (strcmp(simd->mask_name, wanted->mask_name) == 0 && strncmp(simd->mask_name, "__mmask", 7) == 0))
        return mask;
    text = resized(lanes, mask, mask_type(lanes, simd), mask_type(lanes, wanted));
    return text ? text : vec_lack(lanes, "a condition on another type", to);
}
