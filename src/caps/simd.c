#include "caps/simd_sets.h"

#include <string.h>

#define ADDRESS(set) &simd_##set,

static const struct simd *const sets[] = {SIMD_SETS(ADDRESS)};
static const char none[] = "none", compilers[] = "omp";

const char *const *simd_names(struct arena *arena)
{
    const char **names = ARENA_ARRAY(arena, SIMD_COUNT(sets) + 3, const char *);

    names[0] = none;
    names[1] = compilers;
    for (int k = 0; k < SIMD_COUNT(sets); k++)
        names[k + 2] = sets[k]->name;
    return names;
}

bool simd_asks_compiler(const char *name)
{
    return name && strcmp(name, compilers) == 0;
}

const struct simd *simd_by_name(const char *name)
{
    for (int k = 0; name && k < SIMD_COUNT(sets); k++)
        if (strcmp(sets[k]->name, name) == 0)
            return sets[k];
    return NULL;
}

const struct simd_type *simd_type_of(const struct simd *simd, enum type type, int lanes)
{
    for (int k = 0; simd && k < simd->n_type; k++)
        if (simd->type[k].type == type && simd->type[k].lanes == lanes)
            return &simd->type[k];
    return NULL;
}

/* A row of no type at all stands for all numbers that C converts. */
static bool converts(const struct simd_conversion *row, enum type from, enum type to, int lanes)
{
    const bool half = from == TYPE_F16 || from == TYPE_BF16 || to == TYPE_F16 || to == TYPE_BF16;

    if (row->from == TYPE_NONE)
        return !half && from != TYPE_BOOL && to != TYPE_BOOL;
    return row->from == from && row->to == to && row->lanes == lanes;
}

const struct simd_conversion *simd_conversion_of(const struct simd *simd, enum type from, enum type to, int lanes)
{
    for (int k = 0; simd && k < simd->n_conversion; k++)
        if (converts(&simd->conversion[k], from, to, lanes))
            return &simd->conversion[k];
    return NULL;
}

const struct simd_dot *simd_dot_of(const struct simd *simd, enum type a, enum type b, enum type sum, int lanes,
                                   int depth)
{
    for (int k = 0; simd && k < simd->n_dot; k++) {
        const struct simd_dot *dot = &simd->dot[k];
        const bool factors = (dot->a == a && dot->b == b) || (dot->a == b && dot->b == a);
        if (factors && dot->sum == sum && dot->lanes == lanes && dot->depth == depth)
            return dot;
    }
    return NULL;
}

const struct simd_product *simd_product_of(const struct simd *simd, enum type rows, enum type columns, enum type sum,
                                           int depth)
{
    for (int k = 0; simd && simd->tiles && k < simd->tiles->n_product; k++) {
        const struct simd_product *product = &simd->tiles->product[k];
        if (product->rows == rows && product->columns == columns && product->sum == sum && product->depth == depth)
            return product;
    }
    return NULL;
}

const char *simd_helper_code(struct arena *arena, const struct simd_helper *helper)
{
    const struct template_value name[] = {{"NAME", helper->name}, {NULL, NULL}};

    return template_filled(arena, helper->template,
                           (const struct template_value *const[]){name, helper->value, helper->shared}, 3);
}

/* Registers of 16 bytes, and one of 8 and of 4 at the end, hold all neighbours. */
static bool has_bytes(const struct simd *simd, const struct simd_type *type, int parts)
{
    const int bytes = parts * type->lanes * type_bits(type->type) / 8;

    return type->row[VECTOR_SHUFFLE_BYTES] && bytes % 4 == 0 && simd_type_of(simd, TYPE_I8, 16) &&
           simd_type_of(simd, TYPE_I8, 8) && simd_type_of(simd, TYPE_I8, 4);
}

bool simd_has_parts(const struct simd *simd, const struct simd_type *type, int parts)
{
    if (!type || parts < 2 || parts > 4)
        return false;
    if (type->row[VECTOR_JOIN])
        return simd_has_parts(simd, simd_type_of(simd, type->type, type->lanes / 2), parts);
    return type->row[VECTOR_LOAD_PART] || type->row[VECTOR_SHUFFLE] || has_bytes(simd, type, parts);
}

static bool has_all(const struct simd *simd, const enum type *type, int n, int lanes)
{
    for (int k = 0; k < n; k++)
        if (!simd_type_of(simd, type[k], lanes))
            return false;
    return true;
}

int simd_widest(const struct simd *simd, const enum type *type, int n)
{
    int widest = 0;

    for (int k = 0; simd && n > 0 && k < simd->n_type; k++)
        if (simd->type[k].type == type[0] && simd->type[k].lanes > widest &&
            has_all(simd, type, n, simd->type[k].lanes))
            widest = simd->type[k].lanes;
    return widest;
}
