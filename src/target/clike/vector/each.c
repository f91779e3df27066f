/* What there is no instruction for, lane by lane: it has the bits of the scalar code. */
#include "target/clike/vector/each.h"

#include "program/program.h"
#include "target/clike/types.h"
#include "target/clike/vector/lanes.h"
#include "target/clike/writer.h"

#include <string.h>

/* A lane's value of x[k], y[k], z[k]; of all lanes (`folds`): of x[0] and x[k]. {t} is their type, {u} the unsigned one
 * that arithmetic wraps around in. NULL: none of such a type. */
static const struct lane_op {
    enum vector_op op;
    const char *name;
    int arity;
    bool folds;
    const char *floats, *ints;
} ops[] = {
    {VECTOR_ADD, "add", 2, false, "x[k] + y[k]", "({t})(({u})x[k] + ({u})y[k])"},
    {VECTOR_SUB, "sub", 2, false, "x[k] - y[k]", "({t})(({u})x[k] - ({u})y[k])"},
    {VECTOR_MUL, "mul", 2, false, "x[k] * y[k]", "({t})(({u})x[k] * ({u})y[k])"},
    {VECTOR_DIV, "div", 2, false, "x[k] / y[k]", "y[k] == 0 ? 0 : ({t})(x[k] / y[k])"},
    {VECTOR_MOD, "mod", 2, false, NULL, "y[k] == 0 ? 0 : ({t})(x[k] % y[k])"},
    {VECTOR_MIN, "min", 2, false, "x[k] < y[k] ? x[k] : y[k]", "x[k] < y[k] ? x[k] : y[k]"},
    {VECTOR_MAX, "max", 2, false, "x[k] > y[k] ? x[k] : y[k]", "x[k] > y[k] ? x[k] : y[k]"},
    {VECTOR_ABS, "abs", 1, false, NULL, "x[k] < 0 ? ({t})(0 - ({u})x[k]) : x[k]"},
    {VECTOR_NEG, "neg", 1, false, "-x[k]", "({t})(0 - ({u})x[k])"},
    {VECTOR_NOT, "not", 1, false, NULL, "({t})~x[k]"},
    {VECTOR_AND, "and", 2, false, NULL, "x[k] & y[k]"},
    {VECTOR_OR, "or", 2, false, NULL, "x[k] | y[k]"},
    {VECTOR_XOR, "xor", 2, false, NULL, "x[k] ^ y[k]"},
    {VECTOR_SHL, "left", 2, false, NULL, "({t})(({u})x[k] << y[k])"},
    {VECTOR_SHR, "right", 2, false, NULL, "({t})(x[k] >> y[k])"},
    {VECTOR_SUM, "sum", 1, true, "x[0] + x[k]", "({t})(({u})x[0] + ({u})x[k])"},
    {VECTOR_PRODUCT, "product", 1, true, "x[0] * x[k]", "({t})(({u})x[0] * ({u})x[k])"},
    {VECTOR_LEAST, "least", 1, true, "x[0] < x[k] ? x[0] : x[k]", "x[0] < x[k] ? x[0] : x[k]"},
    {VECTOR_GREATEST, "greatest", 1, true, "x[0] > x[k] ? x[0] : x[k]", "x[0] > x[k] ? x[0] : x[k]"},
    {VECTOR_ALL_AND, "all_and", 1, true, NULL, "x[0] & x[k]"},
    {VECTOR_ALL_OR, "all_or", 1, true, NULL, "x[0] | x[k]"},
    {VECTOR_ALL_XOR, "all_xor", 1, true, NULL, "x[0] ^ x[k]"},
};

bool vec_has_each(const struct simd_type *type)
{
    return type && type->row[VECTOR_LOAD] && type->row[VECTOR_STORE];
}

/* Has C operations for the lanes of type? */
static bool computes_each(const struct simd_type *type)
{
    return vec_has_each(type) && type->type != TYPE_F16 && type->type != TYPE_BF16;
}

static bool is_float(const struct simd_type *type)
{
    return type->type == TYPE_F32 || type->type == TYPE_F64;
}

const char *vec_each_suffix(struct emitter *emitter, const struct simd_type *type)
{
    const char *name = type->type == TYPE_F32 ? "f" : type->type == TYPE_F64 ? "d" : type_name(type->type);

    return arena_printf(emitter->arena, "%d%s", type->lanes, name);
}

const char *vec_each_store(struct emitter *emitter, const struct simd_type *type, const char *array, const char *value)
{
    struct vec_lanes lanes = {.emitter = emitter};

    return vec_filled(&lanes, type->row[VECTOR_STORE], &(struct vec_operands){.p = array, .a = value}, TYPE_NONE);
}

const char *vec_each_load(struct emitter *emitter, const struct simd_type *type, const char *array)
{
    struct vec_lanes lanes = {.emitter = emitter};

    return vec_filled(&lanes, type->row[VECTOR_LOAD], &(struct vec_operands){.p = array}, TYPE_NONE);
}

void vec_each_add(struct emitter *emitter, const char *name, const char *code)
{
    for (int k = 0; k < emitter->each.n; k++)
        if (strcmp(emitter->each.at[k].name, name) == 0)
            return;
    VEC_PUSH(emitter->arena, &emitter->each, ((struct vector_function){name, code}));
    vec_use_helpers(emitter, code);
    emitter->uses_vectors = true;
}

const char *vec_each_code(struct emitter *emitter, const char *template, const char *name, const struct simd_type *type,
                          const struct template_value *own)
{
    const char *words = emitter->simd->operators ? vec_own_name(emitter, "INLINE_VECTORS") : "static inline";
    const struct template_value values[] = {{"INLINE", words},
                                            {"NAME", name},
                                            {"VECTOR", type->name},
                                            {"ELEMENT", c_type_name(type->type)},
                                            {"N", arena_printf(emitter->arena, "%d", type->lanes)},
                                            {NULL, NULL}};

    return template_filled(emitter->arena, template, (const struct template_value *const[]){own, values}, 2);
}

/* expr with its types. */
static const char *lane_text(struct emitter *emitter, const char *expr, enum type type)
{
    const char *text = "";

    for (const char *c = expr; *c; c++) {
        const char *name = strncmp(c, "{t}", 3) == 0   ? c_type_name(type)
                           : strncmp(c, "{u}", 3) == 0 ? c_type_name(c_unsigned_type(type))
                                                       : NULL;
        text = name ? arena_printf(emitter->arena, "%s%s", text, name) : arena_printf(emitter->arena, "%s%c", text, *c);
        c += name ? 2 : 0;
    }
    return text;
}

/* A function of `arity` vectors: x[k] becomes expr for each k. */
static const char *each_code(struct emitter *emitter, const struct simd_type *type, const char *name, int arity,
                             const char *expr)
{
    static const char *const letters[] = {"a", "b", "c"}, *const arrays[] = {"x", "y", "z"};
    struct arena *arena = emitter->arena;
    const char *declared = "", *stored = "", *parameters = "";

    for (int k = 0; k < arity; k++) {
        const char *comma = k ? ", " : "";
        parameters = arena_printf(arena, "%s%s%s %s", parameters, comma, type->name, letters[k]);
        declared = arena_printf(arena, "%s%s%s[%d]", declared, comma, arrays[k], type->lanes);
        stored = arena_printf(arena, "%s    %s;\n", stored, vec_each_store(emitter, type, arrays[k], letters[k]));
    }
    const struct template_value values[] = {{"PARAMETERS", parameters},
                                            {"ARRAYS", declared},
                                            {"STORES", stored},
                                            {"LANE", expr},
                                            {"LOAD", vec_each_load(emitter, type, "x")},
                                            {NULL, NULL}};
    return vec_each_code(emitter, "vector/each", name, type, values);
}

/* A function that combines all lanes: x[0] becomes expr for each k. */
static const char *fold_code(struct emitter *emitter, const struct simd_type *type, const char *name, const char *expr)
{
    const struct template_value values[] = {{"STORE", vec_each_store(emitter, type, "x", "a")},
                                            {"LANE", expr},
                                            {NULL, NULL}};

    return vec_each_code(emitter, "vector/each_fold", name, type, values);
}

static const char *call_text(struct emitter *emitter, const char *name, struct vec_operands operands)
{
    return arena_printf(emitter->arena, "%s(%s%s%s%s%s)", name, operands.a, operands.b ? ", " : "",
                        operands.b ? operands.b : "", operands.c ? ", " : "", operands.c ? operands.c : "");
}

/* "sin_each_16f" */
static const char *each_name(struct emitter *emitter, const char *what, const struct simd_type *type)
{
    return arena_printf(emitter->arena, "%s_each_%s", what, vec_each_suffix(emitter, type));
}

static const char *function_lane(struct emitter *emitter, enum function function, enum type type)
{
    static const char *const arguments[] = {"x[k]", "x[k], y[k]", "x[k], y[k], z[k]"};

    return arena_printf(emitter->arena, "%s%s(%s)", function_name(function), type == TYPE_F32 ? "f" : "",
                        arguments[function_arity(function) - 1]);
}

static void add_function(struct emitter *emitter, enum function function, const struct simd_type *type,
                         const char *name)
{
    vec_each_add(emitter, name,
                 each_code(emitter, type, name, function_arity(function),
                           function_lane(emitter, function, type->type)));
    emitter->uses_math = true;
}

const char *vec_each_splat(struct vec_lanes *lanes, const struct simd_type *simd, const char *a)
{
    const char *suffix = vec_each_suffix(lanes->emitter, simd);
    const char *name = vec_own_name(lanes->emitter, arena_printf(lanes->emitter->arena, "all_%s", suffix));

    const struct template_value values[] = {{"LOAD", vec_each_load(lanes->emitter, simd, "x")}, {NULL, NULL}};
    vec_each_add(lanes->emitter, name, vec_each_code(lanes->emitter, "vector/all", name, simd, values));
    return arena_printf(lanes->emitter->arena, "%s(%s)", name, a);
}

const char *vec_each(struct vec_lanes *lanes, enum function function, enum type type, struct vec_operands operands)
{
    struct emitter *emitter = lanes->emitter;
    const struct simd_type *simd = vec_register(lanes, type);
    const bool has = vec_has_each(simd) && is_float(simd);
    const char *name = has ? vec_own_name(emitter, each_name(emitter, function_name(function), simd)) : NULL;

    if (!name)
        return vec_lack(lanes, function_name(function), type);
    add_function(emitter, function, simd, name);
    return call_text(emitter, name, operands);
}

const char *vec_each_op(struct vec_lanes *lanes, enum vector_op op, enum type type, struct vec_operands operands)
{
    struct emitter *emitter = lanes->emitter;
    const struct simd_type *simd = vec_register(lanes, type);

    for (size_t k = 0; computes_each(simd) && k < sizeof(ops) / sizeof(ops[0]); k++) {
        const char *expr = is_float(simd) ? ops[k].floats : ops[k].ints;
        if (ops[k].op != op || !expr)
            continue;
        const char *name = vec_own_name(emitter, each_name(emitter, ops[k].name, simd));
        expr = lane_text(emitter, expr, type);
        vec_each_add(emitter, name,
                     ops[k].folds ? fold_code(emitter, simd, name, expr)
                                  : each_code(emitter, simd, name, ops[k].arity, expr));
        operands.b = ops[k].arity > 1 ? operands.b : NULL;
        operands.c = NULL;
        return call_text(emitter, name, operands);
    }
    return NULL;
}

const char *vec_each_conversion(struct vec_lanes *lanes, const char *a, enum type from, enum type to)
{
    struct emitter *emitter = lanes->emitter;
    const struct simd_type *x = vec_register(lanes, from), *y = vec_register(lanes, to);

    if (!computes_each(x) || !computes_each(y))
        return NULL;
    const char *what = arena_printf(emitter->arena, "to_%s", type_name(to));
    const char *name = vec_own_name(emitter, each_name(emitter, what, x));
    const struct template_value values[] = {{"TO_VECTOR", y->name},
                                            {"TO_ELEMENT", c_type_name(to)},
                                            {"STORE", vec_each_store(emitter, x, "x", "a")},
                                            {"LOAD", vec_each_load(emitter, y, "y")},
                                            {NULL, NULL}};
    vec_each_add(emitter, name, vec_each_code(emitter, "vector/each_conversion", name, x, values));
    return arena_printf(emitter->arena, "%s(%s)", name, a);
}

void vec_use_each(struct emitter *emitter, const char *code)
{
    const struct simd *simd = emitter->simd;

    for (int t = 0; strstr(code, "_each_") && t < simd->n_type; t++)
        for (enum function f = FUNCTION_MIN; f < FUNCTION_MOD; f++) {
            const char *name = each_name(emitter, function_name(f), &simd->type[t]);
            if (function_is_library(f) && vec_has_each(&simd->type[t]) && is_float(&simd->type[t]) &&
                c_mentions(code, vec_name_so_far(emitter, name)))
                add_function(emitter, f, &simd->type[t], vec_own_name(emitter, name));
        }
}

void vec_name_each(struct emitter *emitter)
{
    const struct simd *simd = emitter->simd;

    for (int t = 0; t < simd->n_type; t++)
        for (enum function f = FUNCTION_MIN; is_float(&simd->type[t]) && f < FUNCTION_MOD; f++) {
            const char *name = each_name(emitter, function_name(f), &simd->type[t]);
            if (function_is_library(f) && (emitter->own_end || names_has(&emitter->names, name)))
                vec_own_name(emitter, name);
        }
}
