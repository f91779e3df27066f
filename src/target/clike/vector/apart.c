/* Elements that are not side by side, one lane after the other. */
#include "program/program.h"
#include "target/clike/types.h"
#include "target/clike/vector/each.h"

#include <string.h>

/* A function for lanes of type. */
struct apart {
    struct emitter *emitter;
    const struct simd_type *type, *offset; /* offset: of lanes that tell where their elements are; NULL: these are a
                                            * number of elements apart */
    bool stores, masked;
    bool groups; /* lanes are bytes or halves of elements next to each other */
};

/* The integers that a mask is made of; NULL: bits. */
static const struct simd_type *mask_integers(const struct apart *apart)
{
    const struct simd *simd = apart->emitter->simd;

    for (int k = 0; k < simd->n_type; k++) {
        const struct simd_type *type = &simd->type[k];
        if (!type_is_float(type->type) && type->lanes == apart->type->lanes &&
            type_bits(type->type) == type_bits(apart->type->type) && strcmp(type->name, apart->type->mask_name) == 0)
            return type;
    }
    return NULL;
}

/* "store_apart_8f", "load_at_8f", "load_at_mask_8f" */
static const char *apart_name(const struct apart *apart)
{
    const char *where = apart->groups                     ? "groups"
                        : !apart->offset                  ? "apart"
                        : apart->offset->type == TYPE_I64 ? "at_long"
                                                          : "at";

    return vec_own_name(apart->emitter,
                        arena_printf(apart->emitter->arena, "%s_%s%s_%s", apart->stores ? "store" : "load", where,
                                     apart->masked ? "_mask" : "", vec_each_suffix(apart->emitter, apart->type)));
}

/* `    int32_t on[8];` */
static const char *declaration(struct emitter *emitter, const struct simd_type *type, const char *array)
{
    return arena_printf(emitter->arena, "    %s %s[%d];\n", c_type_name(type->type), array, type->lanes);
}

static const char *stored(struct emitter *emitter, const struct simd_type *type, const char *array, const char *value)
{
    return arena_printf(emitter->arena, "    %s;\n", vec_each_store(emitter, type, array, value));
}

static const char *parameters_text(const struct apart *apart)
{
    struct arena *arena = apart->emitter->arena;
    const char *text = arena_printf(arena, "%s%s *p", apart->stores ? "" : "const ",
                                    apart->groups ? "void" : c_type_name(apart->type->type));

    if (apart->masked)
        text = arena_printf(arena, "%s, %s m", text, apart->type->mask_name);
    if (apart->groups)
        return text;
    text = apart->offset ? arena_printf(arena, "%s, %s b", text, apart->offset->name)
                         : arena_printf(arena, "%s, int64_t step", text);
    return apart->stores ? arena_printf(arena, "%s, %s a", text, apart->type->name) : text;
}

/* What lane k does. */
static const char *lane_text(const struct apart *apart, bool bits)
{
    struct arena *arena = apart->emitter->arena;
    const char *element =
        apart->groups   ? arena_printf(arena, "%s((const char *)p + 4 * k)", vec_own_name(apart->emitter, "bytes_4"))
        : apart->offset ? "p[at[k]]"
                        : "p[k * step]";
    const char *active = bits ? "m >> k & 1" : "on[k]";

    if (apart->stores && apart->masked)
        return template_filled(arena, "vector/store_active",
                               (const struct template_value *const[]){(const struct template_value[]){
                                   {"ACTIVE", active}, {"PLACE", element}, {NULL, NULL}}},
                               1);
    if (apart->stores)
        return arena_printf(arena, "        %s = x[k];\n", element);
    return apart->masked ? arena_printf(arena, "        x[k] = %s ? %s : 0;\n", active, element)
                         : arena_printf(arena, "        x[k] = %s;\n", element);
}

static const char *apart_code(const struct apart *apart, const char *name)
{
    struct emitter *emitter = apart->emitter;
    struct arena *arena = emitter->arena;
    const struct simd_type *mask = apart->masked ? mask_integers(apart) : NULL;
    const char *declared = declaration(emitter, apart->type, "x"), *before = "", *end = "";

    if (apart->offset) {
        declared = arena_printf(arena, "%s%s", declared, declaration(emitter, apart->offset, "at"));
        before = stored(emitter, apart->offset, "at", "b");
    }
    if (mask) {
        declared = arena_printf(arena, "%s%s", declared, declaration(emitter, mask, "on"));
        before = arena_printf(arena, "%s%s", before, stored(emitter, mask, "on", "m"));
    }
    if (apart->stores)
        before = arena_printf(arena, "%s%s", before, stored(emitter, apart->type, "x", "a"));
    else
        end = arena_printf(arena, "    return %s;\n", vec_each_load(emitter, apart->type, "x"));
    const struct template_value values[] = {{"RESULT", apart->stores ? "void" : apart->type->name},
                                            {"PARAMETERS", parameters_text(apart)},
                                            {"ARRAYS", declared},
                                            {"STORES", before},
                                            {"LANES", lane_text(apart, !mask)},
                                            {"RETURN", end},
                                            {NULL, NULL}};
    return vec_each_code(emitter, "vector/apart", name, apart->type, values);
}

/* A call with these operands; where: the step or the offsets; NULL: there are none. */
static const char *call(struct vec_lanes *lanes, const struct apart *apart, struct vec_operands operands,
                        const char *where)
{
    struct emitter *emitter = lanes->emitter;
    const char *name = apart_name(apart);

    vec_each_add(emitter, name, apart_code(apart, name));
    return arena_printf(emitter->arena, "%s(%s%s%s%s%s%s%s)", name, operands.p, operands.m ? ", " : "",
                        operands.m ? operands.m : "", where ? ", " : "", where ? where : "", operands.a ? ", " : "",
                        operands.a ? operands.a : "");
}

static const char *accessed(struct vec_lanes *lanes, enum type type, struct vec_operands operands,
                            const struct simd_type *offset, const char *where)
{
    const struct simd_type *simd = vec_register(lanes, type);
    const struct apart apart = {lanes->emitter, simd, offset, operands.a != NULL, operands.m != NULL, false};

    if (!vec_has_each(simd))
        return vec_lack(lanes, operands.a ? "stores to elements apart" : "loads from elements apart", type);
    return call(lanes, &apart, operands, where);
}

const char *vec_apart(struct vec_lanes *lanes, enum type type, struct vec_operands operands, const char *step)
{
    return accessed(lanes, type, operands, NULL, step);
}

const char *vec_apart_at(struct vec_lanes *lanes, enum type type, struct vec_operands operands, enum type offset)
{
    const struct simd_type *numbers = vec_register(lanes, offset);

    if (!vec_has_each(numbers))
        return vec_lack(lanes, operands.a ? "stores to elements apart" : "loads from elements apart", type);
    return accessed(lanes, type, operands, numbers, operands.b);
}

const char *vec_groups(struct vec_lanes *lanes, enum type type, struct vec_operands operands)
{
    const struct simd_type *simd = vec_register(lanes, type);
    const struct apart apart = {lanes->emitter, simd, NULL, false, operands.m != NULL, true};

    if (!vec_has_each(simd))
        return vec_lack(lanes, "loads of groups", type);
    vec_use_helpers(lanes->emitter, vec_own_name(lanes->emitter, "bytes_4"));
    return call(lanes, &apart, operands, NULL);
}
