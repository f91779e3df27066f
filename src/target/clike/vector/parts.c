/* Groups of neighbours: one member of each lane's group, or all of them; functions made of the target's shuffles. */
#include "program/program.h"
#include "target/clike/types.h"
#include "target/clike/vector/each.h"

#include <string.h>

/* A function of groups of `parts` neighbours in lanes of type; part: the member that it loads, -1: it stores all. */
struct parts {
    struct vec_lanes *lanes;
    const struct simd_type *type;
    int parts, part;
};

static const char *const letters[] = {"a", "b", "c", "d"};

static struct arena *arena_of(const struct parts *parts)
{
    return parts->lanes->emitter->arena;
}

/* `0, 2, 4, ..` */
static const char *list_text(const struct parts *parts, const int *list, int n)
{
    const char *text = "";

    for (int k = 0; k < n; k++)
        text = arena_printf(arena_of(parts), "%s%s%d", text, k ? ", " : "", list[k]);
    return text;
}

/* `&p[16]` */
static const char *place(const struct parts *parts, int elements)
{
    return elements ? arena_printf(arena_of(parts), "&p[%d]", elements) : "p";
}

/* The lanes of x and y that source tells, by the number of their element in both, for each lane. */
static const char *shuffle(const struct parts *parts, const char *x, const char *y, const int *source)
{
    const struct vec_operands operands = {.a = x, .b = y, .c = list_text(parts, source, parts->type->lanes)};

    return vec_filled(parts->lanes, parts->type->row[VECTOR_SHUFFLE], &operands, parts->type->type);
}

/* For each lane of a result an element of all registers, which lie one behind the other. */
struct choice {
    int element[64];
    const char *result; /* its number, for names */
};

/* The chosen lanes of the first two registers, of the next ones, and of both results. */
static const char *of_registers(const struct parts *parts, const struct choice *choice, const char **before)
{
    const int n = parts->type->lanes;
    const char *half[2] = {letters[0], letters[2]};
    int source[64];

    *before = "";
    for (int h = 0; parts->parts > 2 && 2 * h + 1 < parts->parts; h++) {
        for (int k = 0; k < n; k++)
            source[k] = choice->element[k] / (2 * n) == h ? choice->element[k] - 2 * n * h : 0;
        half[h] = arena_printf(arena_of(parts), "%s%s%s", letters[2 * h], letters[2 * h + 1], choice->result);
        *before = arena_printf(arena_of(parts), "%s    const %s %s = %s;\n", *before, parts->type->name, half[h],
                               shuffle(parts, letters[2 * h], letters[2 * h + 1], source));
    }
    for (int k = 0; k < n; k++) {
        const int element = choice->element[k];
        source[k] = parts->parts == 2 ? element : element < 2 * n ? k : parts->parts == 3 ? element - n : n + k;
    }
    return shuffle(parts, half[0], parts->parts == 2 ? letters[1] : half[1], source);
}

/* The registers of all neighbours. */
static const char *loaded_registers(const struct parts *parts)
{
    const char *text = "";

    for (int k = 0; k < parts->parts; k++)
        text = arena_printf(arena_of(parts), "%s    const %s %s = %s;\n", text, parts->type->name, letters[k],
                            vec_each_load(parts->lanes->emitter, parts->type, place(parts, k * parts->type->lanes)));
    return text;
}

static const char *load_by_lanes(const struct parts *parts)
{
    struct choice choice = {.result = ""};
    const char *before;

    for (int k = 0; k < parts->type->lanes; k++)
        choice.element[k] = parts->parts * k + parts->part;
    const char *value = of_registers(parts, &choice, &before);
    return arena_printf(arena_of(parts), "%s%s\n    return %s;\n", loaded_registers(parts), before, value);
}

static const char *store_by_lanes(const struct parts *parts)
{
    struct arena *arena = arena_of(parts);
    const int n = parts->type->lanes;
    const char *declared = "", *stores = "";

    for (int r = 0; r < parts->parts; r++) {
        struct choice choice = {.result = arena_printf(arena, "_%d", r)};
        const char *before;
        for (int k = 0; k < n; k++)
            choice.element[k] = (r * n + k) % parts->parts * n + (r * n + k) / parts->parts;
        const char *value = of_registers(parts, &choice, &before);
        declared = arena_printf(arena, "%s%s", declared, before);
        stores = arena_printf(arena, "%s    %s;\n", stores,
                              vec_each_store(parts->lanes->emitter, parts->type, place(parts, r * n), value));
    }
    return arena_printf(arena, "%s%s%s", declared, declared[0] ? "\n" : "", stores);
}

static int element_bytes(const struct parts *parts)
{
    return type_bits(parts->type->type) / 8;
}

/* A part of the neighbours' bytes that a register holds. */
struct piece {
    int start, size;
};

/* Piece k, of 16 bytes, then of 8, then of 4; its size is 0 behind the last one. */
static struct piece piece_at(const struct parts *parts, int k)
{
    const int bytes = parts->parts * parts->type->lanes * element_bytes(parts);
    struct piece piece = {0, 0};

    for (int left = bytes, n = 0; n <= k; n++, left -= piece.size) {
        piece.start = bytes - left;
        piece.size = left >= 16 ? 16 : left >= 8 ? 8 : left;
    }
    return piece;
}

static const struct simd_type *byte_register(const struct parts *parts, struct piece piece)
{
    return simd_type_of(parts->lanes->emitter->simd, TYPE_I8, piece.size);
}

/* The bytes that come from register x, under a name that *before declares, and those of value (NULL: none). */
static const char *with_bytes(const struct parts *parts, const char *value, const char *x, const char *name,
                              const int *source, const char **before)
{
    const struct simd_type *bytes = simd_type_of(parts->lanes->emitter->simd, TYPE_I8, 16);
    const struct vec_operands operands = {.a = x, .c = list_text(parts, source, 16)};
    const char *text = vec_filled(parts->lanes, parts->type->row[VECTOR_SHUFFLE_BYTES], &operands, TYPE_I8);

    *before = arena_printf(arena_of(parts), "%s    const %s %s = %s;\n", *before, parts->type->name, name, text);
    return value
               ? vec_filled(parts->lanes, bytes->row[VECTOR_OR], &(struct vec_operands){.a = value, .b = name}, TYPE_I8)
               : name;
}

static const char *load_by_bytes(const struct parts *parts)
{
    struct arena *arena = arena_of(parts);
    const int size = element_bytes(parts);
    const char *text = "", *before = "", *value = NULL;

    for (int r = 0; piece_at(parts, r).size > 0; r++) {
        const struct piece piece = piece_at(parts, r);
        int source[16];
        text = arena_printf(arena, "%s    const %s %s = %s;\n", text, parts->type->name, letters[r],
                            vec_each_load(parts->lanes->emitter, byte_register(parts, piece),
                                          place(parts, piece.start / size)));
        for (int k = 0; k < 16; k++) {
            const int byte = (k / size * parts->parts + parts->part) * size + k % size - piece.start;
            source[k] = k < parts->type->lanes * size && byte >= 0 && byte < piece.size ? byte : -1;
        }
        value = with_bytes(parts, value, letters[r], arena_printf(arena, "from_%s", letters[r]), source, &before);
    }
    return arena_printf(arena, "%s%s\n    return %s;\n", text, before, value);
}

static const char *store_by_bytes(const struct parts *parts)
{
    struct arena *arena = arena_of(parts);
    const int size = element_bytes(parts);
    const char *text = "", *before = "";

    for (int r = 0; piece_at(parts, r).size > 0; r++) {
        const struct piece piece = piece_at(parts, r);
        const char *value = NULL;
        for (int part = 0; part < parts->parts; part++) {
            int source[16];
            for (int k = 0; k < 16; k++) {
                const int element = (piece.start + k) / size;
                source[k] =
                    k < piece.size && element % parts->parts == part ? element / parts->parts * size + k % size : -1;
            }
            value = with_bytes(parts, value, letters[part], arena_printf(arena, "%s_%d", letters[part], r), source,
                               &before);
        }
        text = arena_printf(arena, "%s    %s;\n", text,
                            vec_each_store(parts->lanes->emitter, byte_register(parts, piece),
                                           place(parts, piece.start / size), value));
    }
    return arena_printf(arena, "%s\n%s", before, text);
}

static const char *function_name_of(const struct parts *parts);
static void add_function(const struct parts *parts, const char *name);

/* The same function for half as many lanes. */
static const char *half_function(const struct parts *parts)
{
    struct parts half = *parts;

    half.type = simd_type_of(parts->lanes->emitter->simd, parts->type->type, parts->type->lanes / 2);
    const char *name = function_name_of(&half);
    add_function(&half, name);
    return name;
}

static const char *load_by_halves(const struct parts *parts)
{
    struct arena *arena = arena_of(parts);
    const char *half = half_function(parts);
    const struct vec_operands operands = {.a = arena_printf(arena, "%s(p)", half),
                                          .b = arena_printf(arena, "%s(p + %d)", half,
                                                            parts->parts * parts->type->lanes / 2)};

    return arena_printf(arena, "    return %s;\n",
                        vec_filled(parts->lanes, parts->type->row[VECTOR_JOIN], &operands, parts->type->type));
}

/* Both calls for half of the lanes. */
static const char *store_by_halves(const struct parts *parts)
{
    struct arena *arena = arena_of(parts);
    const char *half = half_function(parts), *text = "";

    for (int h = 0; h < 2; h++) {
        text = arena_printf(arena, "%s    %s(%s", text, half,
                            h ? arena_printf(arena, "p + %d", parts->parts * parts->type->lanes / 2) : "p");
        for (int k = 0; k < parts->parts; k++)
            text = arena_printf(arena, "%s, %s", text,
                                vec_filled(parts->lanes, parts->type->row[h ? VECTOR_LAST_HALF : VECTOR_FIRST_HALF],
                                           &(struct vec_operands){.a = letters[k]}, parts->type->type));
        text = arena_printf(arena, "%s);\n", text);
    }
    return text;
}

static const char *number(const struct parts *parts, int value)
{
    return arena_printf(arena_of(parts), "%d", value);
}

/* `load_1_of_3_8f`, `store_3_8f` */
static const char *function_name_of(const struct parts *parts)
{
    const char *suffix = vec_each_suffix(parts->lanes->emitter, parts->type);

    return vec_own_name(parts->lanes->emitter,
                        parts->part < 0
                            ? arena_printf(arena_of(parts), "store_%d_%s", parts->parts, suffix)
                            : arena_printf(arena_of(parts), "load_%d_of_%d_%s", parts->part, parts->parts, suffix));
}

static const char *load_body(const struct parts *parts)
{
    return parts->type->row[VECTOR_JOIN]      ? load_by_halves(parts)
           : parts->type->row[VECTOR_SHUFFLE] ? load_by_lanes(parts)
                                              : load_by_bytes(parts);
}

static const char *store_body(const struct parts *parts)
{
    return parts->type->row[VECTOR_JOIN]      ? store_by_halves(parts)
           : parts->type->row[VECTOR_SHUFFLE] ? store_by_lanes(parts)
                                              : store_by_bytes(parts);
}

static const char *load_code(const struct parts *parts, const char *name)
{
    const char *member = parts->part ? arena_printf(arena_of(parts), " + %d", parts->part) : "";

    const struct template_value values[] = {{"N", number(parts, parts->parts)},
                                            {"MEMBER", member},
                                            {"BODY", load_body(parts)},
                                            {NULL, NULL}};
    return vec_each_code(parts->lanes->emitter, "vector/load_part", name, parts->type, values);
}

static const char *store_code(const struct parts *parts, const char *name)
{
    const char *values = "";

    for (int k = 0; k < parts->parts; k++)
        values = arena_printf(arena_of(parts), "%s, %s %s", values, parts->type->name, letters[k]);
    const struct template_value filled[] = {{"N", number(parts, parts->parts)},
                                            {"PARAMETERS", values},
                                            {"BODY", store_body(parts)},
                                            {NULL, NULL}};
    return vec_each_code(parts->lanes->emitter, "vector/store_parts", name, parts->type, filled);
}

static void add_function(const struct parts *parts, const char *name)
{
    vec_each_add(parts->lanes->emitter, name, parts->part < 0 ? store_code(parts, name) : load_code(parts, name));
}

/* A row with the numbers in the names that it calls, `load_{a}_of_{c}_ps({p})`, and the names that these have here. */
static const char *row_of(const struct parts *parts, enum vector_op op)
{
    const struct emitter *emitter = parts->lanes->emitter;
    const struct vec_operands operands = {.p = "{p}",
                                          .a = parts->part < 0 ? "{a}" : number(parts, parts->part),
                                          .b = "{b}",
                                          .c = number(parts, parts->parts)};
    const char *row = vec_filled(parts->lanes, parts->type->row[op], &operands, parts->type->type);

    return words_replaced(emitter->arena, row, emitter->renamed.at, emitter->renamed.n);
}

const char *vec_load_part(struct vec_lanes *lanes, const struct element *element)
{
    const struct parts parts = {lanes, vec_register(lanes, element->array->type), element->parts, element->part};
    const struct vec_operands operands = {.p = vec_address(lanes, element)};

    if (parts.type->row[VECTOR_LOAD_PART])
        return vec_filled(lanes, row_of(&parts, VECTOR_LOAD_PART), &operands, parts.type->type);
    const char *name = function_name_of(&parts);
    add_function(&parts, name);
    return arena_printf(lanes->emitter->arena, "%s(%s)", name, operands.p);
}

/* The values of all members, one behind the other. */
static const char *list_of_values(struct vec_lanes *lanes, const struct simd_type *type, const struct tree_expr *value)
{
    const char *text = "";

    for (int k = 0; k < value->n_arg; k++) {
        const char *one = vec_value(lanes, value->arg[k]);
        if (type->row[VECTOR_AS_PART])
            one = vec_filled(lanes, type->row[VECTOR_AS_PART], &(struct vec_operands){.a = one}, type->type);
        text = arena_printf(lanes->emitter->arena, "%s%s%s", text, k ? ", " : "", one);
    }
    return text;
}

const char *vec_store_parts(struct vec_lanes *lanes, const struct element *target, const struct tree_expr *value)
{
    const struct parts parts = {lanes, vec_register(lanes, target->array->type), target->parts, -1};
    const char *type = parts.type->name;
    const struct vec_operands operands = {.p = vec_address(lanes, target),
                                          .a = list_of_values(lanes, parts.type, value),
                                          .b = arena_printf(lanes->emitter->arena, "%.*sx%d_t", (int)strlen(type) - 2,
                                                            type, target->parts)};

    if (parts.type->row[VECTOR_STORE_PARTS])
        return vec_filled(lanes, row_of(&parts, VECTOR_STORE_PARTS), &operands, parts.type->type);
    const char *name = function_name_of(&parts);
    add_function(&parts, name);
    return arena_printf(lanes->emitter->arena, "%s(%s, %s)", name, operands.p, operands.a);
}
