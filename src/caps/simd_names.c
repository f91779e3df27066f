#include "caps/simd_names.h"

#include <string.h>

struct renaming {
    struct arena *arena;
    const struct word *word;
    int n;
};

static const char *renamed(const struct renaming *renaming, const char *text)
{
    return text ? words_replaced(renaming->arena, text, renaming->word, renaming->n) : NULL;
}

/* A copy of n elements. */
#define COPY(renaming, type, from, n)                                                                                  \
    ((n) > 0 ? memcpy(ARENA_ARRAY((renaming)->arena, n, type), from, (size_t)(n) * sizeof(type)) : NULL)

static const struct simd_type *types(const struct renaming *renaming, const struct simd *simd)
{
    struct simd_type *type = COPY(renaming, struct simd_type, simd->type, simd->n_type);

    for (int k = 0; k < simd->n_type; k++) {
        type[k].name = renamed(renaming, type[k].name);
        type[k].mask_name = renamed(renaming, type[k].mask_name);
        type[k].lanes_name = renamed(renaming, type[k].lanes_name);
        for (int op = 0; op < VECTOR_OP_COUNT; op++)
            if (op != VECTOR_FLAGS)
                type[k].row[op] = renamed(renaming, type[k].row[op]);
    }
    return type;
}

static const struct simd_conversion *conversions(const struct renaming *renaming, const struct simd *simd)
{
    struct simd_conversion *conversion = COPY(renaming, struct simd_conversion, simd->conversion, simd->n_conversion);

    for (int k = 0; k < simd->n_conversion; k++)
        conversion[k].row = renamed(renaming, conversion[k].row);
    return conversion;
}

static const struct simd_helper *helpers(const struct renaming *renaming, const struct simd *simd)
{
    struct simd_helper *helper = COPY(renaming, struct simd_helper, simd->helper, simd->n_helper);

    for (int k = 0; k < simd->n_helper; k++)
        helper[k].name = renamed(renaming, helper[k].name);
    return helper;
}

static const struct simd_masked *masked_calls(const struct renaming *renaming, const struct simd *simd)
{
    struct simd_masked *masked = COPY(renaming, struct simd_masked, simd->masked, simd->n_masked);

    for (int k = 0; k < simd->n_masked; k++) {
        masked[k].call = renamed(renaming, masked[k].call);
        masked[k].row = renamed(renaming, masked[k].row);
    }
    return masked;
}

static const struct simd_tiles *tile_registers(const struct renaming *renaming, const struct simd_tiles *from)
{
    struct simd_tiles *tiles = COPY(renaming, struct simd_tiles, from, 1);

    tiles->load = renamed(renaming, from->load);
    tiles->store = renamed(renaming, from->store);
    tiles->zero = renamed(renaming, from->zero);
    tiles->load_stored = renamed(renaming, from->load_stored);
    tiles->load_part = renamed(renaming, from->load_part);
    tiles->store_part[0] = renamed(renaming, from->store_part[0]);
    tiles->store_part[1] = renamed(renaming, from->store_part[1]);
    tiles->buffer = renamed(renaming, from->buffer);
    tiles->shape = renamed(renaming, from->shape);
    tiles->values[0] = renamed(renaming, from->values[0]);
    tiles->values[1] = renamed(renaming, from->values[1]);
    tiles->begin = renamed(renaming, from->begin);
    tiles->end = renamed(renaming, from->end);
    tiles->test = renamed(renaming, from->test);
    return tiles;
}

const struct simd *simd_renamed(struct arena *arena, const struct simd *simd, const struct word *word, int n)
{
    const struct renaming renaming = {arena, word, n};

    if (n == 0)
        return simd;
    struct simd *copy = COPY(&renaming, struct simd, simd, 1);
    copy->type = types(&renaming, simd);
    copy->conversion = conversions(&renaming, simd);
    copy->helper = helpers(&renaming, simd);
    copy->masked = masked_calls(&renaming, simd);
    copy->tiles = simd->tiles ? tile_registers(&renaming, simd->tiles) : NULL;
    copy->groups = renamed(&renaming, simd->groups);
    return copy;
}
