/* Functions of the library for each lane of a vector: they have the library's own bits. */
#include "program/program.h"
#include "target/clike/types.h"
#include "target/clike/vector_lanes.h"
#include "target/clike/writer.h"

#include <string.h>

static const enum function functions[] = {FUNCTION_SQRT, FUNCTION_EXP,  FUNCTION_LOG, FUNCTION_POW, FUNCTION_FLOOR,
                                          FUNCTION_CEIL, FUNCTION_ROUND, FUNCTION_SIN, FUNCTION_COS, FUNCTION_TANH,
                                          FUNCTION_FMA};

/* Can vectors of the type be taken apart? (The portable set's may be wider than what functions are passed in.) */
static bool has_each(const struct simd *simd, const struct simd_type *type)
{
    return type && !simd->operators && (type->type == TYPE_F32 || type->type == TYPE_F64) && type->row[VECTOR_LOAD] &&
           type->row[VECTOR_STORE];
}

/* "sin_each_16f" */
static const char *each_name(struct emitter *emitter, enum function function, const struct simd_type *type)
{
    return arena_printf(emitter->arena, "%s_each_%d%c", function_name(function), type->lanes,
                        type->type == TYPE_F32 ? 'f' : 'd');
}

/* A row of the table with a name for each place. */
static const char *row_with(struct emitter *emitter, const char *row, const char *address, const char *value)
{
    struct vec_lanes lanes = {.emitter = emitter};

    return vec_filled(&lanes, row, &(struct vec_operands){.p = address, .a = value}, TYPE_NONE);
}

static const char *each_code(struct emitter *emitter, enum function function, const struct simd_type *type,
                             const char *name)
{
    static const char *const letters[] = {"a", "b", "c"}, *const arrays[] = {"x", "y", "z"};
    struct arena *arena = emitter->arena;
    const char *element = c_type_name(type->type), *declared = "", *stored = "", *parameters = "", *arguments = "";

    for (int k = 0; k < function_arity(function); k++) {
        const char *comma = k ? ", " : "";
        parameters = arena_printf(arena, "%s%s%s %s", parameters, comma, type->name, letters[k]);
        declared = arena_printf(arena, "%s%s%s[%d]", declared, comma, arrays[k], type->lanes);
        stored = arena_printf(arena, "%s    %s;\n", stored,
                              row_with(emitter, type->row[VECTOR_STORE], arrays[k], letters[k]));
        arguments = arena_printf(arena, "%s%s%s[k]", arguments, comma, arrays[k]);
    }
    return arena_printf(arena,
                        "static inline %s %s(%s)\n{\n    %s %s;\n\n%s    for (int k = 0; k < %d; k++)\n"
                        "        x[k] = %s%s(%s);\n    return %s;\n}\n",
                        type->name, name, parameters, element, declared, stored, type->lanes, function_name(function),
                        type->type == TYPE_F32 ? "f" : "", arguments,
                        row_with(emitter, type->row[VECTOR_LOAD], "x", NULL));
}

static void add(struct emitter *emitter, enum function function, const struct simd_type *type, const char *name)
{
    for (int k = 0; k < emitter->each.n; k++)
        if (strcmp(emitter->each.at[k].name, name) == 0)
            return;
    VEC_PUSH(emitter->arena, &emitter->each,
             ((struct simd_helper){name, each_code(emitter, function, type, name)}));
    vec_claim(emitter, name);
    emitter->uses_math = true;
}

const char *vec_each(struct vec_lanes *lanes, enum function function, enum type type, struct vec_operands operands)
{
    struct emitter *emitter = lanes->emitter;
    const struct simd_type *simd = vec_register(lanes, type);
    const char *name = has_each(emitter->simd, simd) ? each_name(emitter, function, simd) : NULL;

    if (!name)
        return vec_lack(lanes, function_name(function), type);
    add(emitter, function, simd, name);
    emitter->uses_vectors = true;
    return arena_printf(emitter->arena, "%s(%s%s%s%s%s)", name, operands.a, operands.b ? ", " : "",
                        operands.b ? operands.b : "", operands.c ? ", " : "", operands.c ? operands.c : "");
}

void vec_use_each(struct emitter *emitter, const char *code)
{
    const struct simd *simd = emitter->simd;

    for (int t = 0; strstr(code, "_each_") && t < simd->n_type; t++)
        for (size_t f = 0; has_each(simd, &simd->type[t]) && f < sizeof(functions) / sizeof(functions[0]); f++) {
            const char *name = each_name(emitter, functions[f], &simd->type[t]);
            if (c_mentions(code, name))
                add(emitter, functions[f], &simd->type[t], name);
        }
}
