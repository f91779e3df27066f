#include "target/clike/vector/each.h"

#include "target/clike/types.h"
#include "target/clike/writer.h"

#include <ctype.h>
#include <string.h>

/* clang-format off */

const char *vec_lack(struct vec_lanes *lanes, const char *what, enum type type)
{
    struct emitter *emitter = lanes->emitter;

    if (!emitter->lacks)
        emitter->lacks = arena_printf(emitter->arena, "%s has no instruction for %s in %d lanes of %s",
                                      emitter->program->target.simd, what, lanes->vector->lanes, type_name(type));
    return "?";
}

const struct simd_type *vec_register(const struct vec_lanes *lanes, enum type type)
{
    return simd_type_of(lanes->emitter->simd, type, lanes->vector->lanes);
}

/* What the compiler's header declares, `vaddq_f32`, cannot give way; descriptions have no `_mm_add_ps`. */
static void claim_calls(struct emitter *emitter, const char *code)
{
    size_t length;

    for (const char *c = code; *c; c += length ? length : 1) {
        length = word_length(c);
        if (c[0] == '_' || c[length] != '(' || emitter->lacks)
            continue;
        for (int k = 0; length && k < emitter->n_described; k++) {
            const char *name = emitter->names.used.at[k];
            if (strncmp(name, c, length) != 0 || name[length] != '\0')
                continue;
            emitter->lacks = arena_printf(emitter->arena, "the vectors of %s need the name `%s`, which is taken",
                                          emitter->program->target.simd, name);
            emitter->lacks_hint = "give the array, scalar, parameter or loop of that name another one";
        }
    }
}

/* The helpers that code mentions, and those that these use. */
void vec_use_helpers(struct emitter *emitter, const char *code)
{
    const struct simd *simd = emitter->simd;

    for (int k = 0; k < simd->n_need; k++)
        if (strstr(code, simd->need[k].word))
            vec_need_flags(emitter, simd->need[k].flags);
    for (int k = 0; k < simd->n_helper; k++)
        if (!emitter->vector_helper[k] && c_mentions(code, simd->helper[k].name)) {
            const char *definition = words_replaced(emitter->arena, simd_helper_code(emitter->arena, &simd->helper[k]),
                                                    emitter->renamed.at, emitter->renamed.n);
            emitter->vector_helper[k] = definition;
            emitter->uses_math |= strstr(definition, "INFINITY") != NULL;
            vec_use_each(emitter, definition);
            vec_use_helpers(emitter, definition);
        }
}

void vec_need_flags(struct emitter *emitter, const char *flags)
{
    if (!flags || (emitter->vector_flags && strstr(emitter->vector_flags, flags)))
        return;
    emitter->vector_flags =
        emitter->vector_flags ? arena_printf(emitter->arena, "%s %s", emitter->vector_flags, flags) : flags;
}

static const char *operand_text(const struct vec_lanes *lanes, char place, const struct vec_operands *operands,
                                enum type type)
{
    switch (place) {
    case 'a':
        return operands->a;
    case 'b':
        return operands->b;
    case 'c':
        return operands->c;
    case 'p':
        return operands->p;
    case 's':
        return operands->s ? operands->s : operands->a;
    case 't':
        return vec_register(lanes, type)->name;
    default:
        return operands->m;
    }
}

/* Is operand, all of it, a call, `NAME(..)`? */
static bool is_call_of(const char *operand, const char *name)
{
    const size_t size = strlen(name);
    int open = 0;

    if (strncmp(operand, name, size) != 0 || operand[size] != '(')
        return false;
    for (operand += size; *operand; operand++) {
        open += (*operand == '(') - (*operand == ')');
        if (open == 0)
            return operand[1] == '\0';
    }
    return false;
}

/* The length of code without its end, `_mm256_castsi256_ps(`, where operand undoes that: `_mm256_castps_si256(..)`; -1
 * where it does not. */
static int without_cast(struct arena *arena, const char *code, const char *operand)
{
    const char *end = code + strlen(code), *start = end, *cast, *to;

    while (start > code && start[-1] != ' ')
        start--;
    cast = strstr(start, "_cast");
    to = cast ? strchr(cast + 5, '_') : NULL;
    if (!to || end[-1] != '(')
        return -1;
    const char *undone = arena_printf(arena, "%.*s%.*s_%.*s", (int)(cast + 5 - start), start, (int)(end - 2 - to),
                                      to + 1, (int)(to - cast - 5), cast + 5);
    return is_call_of(operand, undone) ? (int)(start - code) : -1;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t size = strlen(text), n = strlen(end);

    return size >= n && strcmp(text + size - n, end) == 0;
}

/* An address without a cast of its own behind another one: `(const __m128i *)(const uint8_t *)&m[i]`. */
static const char *cast_once(const struct text *out, const char *address)
{
    const char *end = address[0] == '(' ? strchr(address, ')') : NULL;

    return end && end[-1] == '*' && ends_with(text_str(out), " *)") ? end + 1 : address;
}

/* Adds the operand to out, without a conversion of bits there and back; returns how much of the row that takes. */
static size_t add_operand(struct arena *arena, struct text *out, const char *operand, const char *row)
{
    const int kept = row[3] == ')' ? without_cast(arena, text_str(out), operand) : -1;

    if (row[1] == 'p')
        operand = cast_once(out, operand);
    if (kept < 0) {
        text_add(out, operand);
        return 3;
    }
    text_truncate(out, (size_t)kept);
    operand = strchr(operand, '(') + 1;
    text_add_n(out, operand, strlen(operand) - 1);
    return 4;
}

/* A row with its places filled; type is that of the result. */
const char *vec_filled(struct vec_lanes *lanes, const char *row, const struct vec_operands *operands, enum type type)
{
    struct text out = {0};
    const char *result;

    for (const char *c = row; *c; c++) {
        if (c[0] == '{' && islower((unsigned char)c[1]) && c[2] == '}') {
            c += add_operand(lanes->emitter->arena, &out, operand_text(lanes, c[1], operands, type), c) - 1;
        } else {
            text_char(&out, *c);
        }
    }
    result = arena_copy(lanes->emitter->arena, text_str(&out));
    text_free(&out);
    lanes->emitter->uses_vectors = true;
    claim_calls(lanes->emitter, row);
    vec_use_helpers(lanes->emitter, row);
    if (strstr(row, "{t}"))
        vec_use_helpers(lanes->emitter, vec_register(lanes, type)->name);
    return result;
}

/* What a row does, for messages. */
static const char *const row_names[VECTOR_OP_COUNT] = {
    [VECTOR_LOAD] = "loads",
    [VECTOR_LOAD_MASK] = "masked loads",
    [VECTOR_STORE] = "stores",
    [VECTOR_STORE_MASK] = "masked stores",
    [VECTOR_STREAM] = "stores past the caches",
    [VECTOR_SPLAT] = "one value in all lanes",
    [VECTOR_ZERO] = "zeros",
    [VECTOR_LIST] = "a list of values",
    [VECTOR_REVERSE] = "lanes in opposite order",
    [VECTOR_ADD] = "+",
    [VECTOR_SUB] = "-",
    [VECTOR_MUL] = "*",
    [VECTOR_DIV] = "/",
    [VECTOR_MOD] = "%",
    [VECTOR_FMA] = "a * b + c",
    [VECTOR_MIN] = "min",
    [VECTOR_MAX] = "max",
    [VECTOR_SQRT] = "sqrt",
    [VECTOR_ABS] = "abs",
    [VECTOR_FLOOR] = "floor",
    [VECTOR_CEIL] = "ceil",
    [VECTOR_ROUND] = "round",
    [VECTOR_EXP] = "exp",
    [VECTOR_LOG] = "log",
    [VECTOR_TANH] = "tanh",
    [VECTOR_SIN] = "sin",
    [VECTOR_COS] = "cos",
    [VECTOR_POW] = "pow",
    [VECTOR_NOT] = "~",
    [VECTOR_SHL] = "<<",
    [VECTOR_SHR] = ">>",
    [VECTOR_NEG] = "a changed sign",
    [VECTOR_AND] = "&",
    [VECTOR_OR] = "|",
    [VECTOR_XOR] = "^",
    [VECTOR_GATHER] = "loads from elements apart",
    [VECTOR_GATHER_MASK] = "masked loads from elements apart",
    [VECTOR_GATHER_LONG] = "loads from elements far apart",
    [VECTOR_GATHER_LONG_MASK] = "masked loads from elements far apart",
    [VECTOR_SCATTER] = "stores to elements apart",
    [VECTOR_SCATTER_MASK] = "masked stores to elements apart",
    [VECTOR_LT] = "<",
    [VECTOR_LE] = "<=",
    [VECTOR_EQ] = "==",
    [VECTOR_NE] = "!=",
    [VECTOR_MASK_AND] = "&&",
    [VECTOR_MASK_OR] = "||",
    [VECTOR_MASK_ANDNOT] = "&& !",
    [VECTOR_MASK_NOT] = "!",
    [VECTOR_SELECT] = "? :",
    [VECTOR_SUM] = "the sum of lanes",
    [VECTOR_PRODUCT] = "the product of lanes",
    [VECTOR_LEAST] = "the least lane",
    [VECTOR_GREATEST] = "the greatest lane",
    [VECTOR_ALL_AND] = "& of lanes",
    [VECTOR_ALL_OR] = "| of lanes",
    [VECTOR_ALL_XOR] = "^ of lanes",
    [VECTOR_MASK_ANY] = "whether any lane is active"};

/* A list that is loaded: `load((const int8_t[64]){0, 1, ..})`. */
static const char *list_in_memory(struct vec_lanes *lanes, const struct simd_type *simd, const char *list)
{
    const char *address =
        arena_printf(lanes->emitter->arena, "(const %s[%d]){%s}", c_type_name(simd->type), simd->lanes, list);

    return vec_instruction(lanes, VECTOR_LOAD, simd->type, (struct vec_operands){.p = address});
}

/* The call that {a} is, done in the lanes of {m} only; NULL: there is no such form of it. */
static const char *masked_call(struct vec_lanes *lanes, enum type type, const struct vec_operands *operands)
{
    const struct simd *simd = lanes->emitter->simd;
    struct arena *arena = lanes->emitter->arena;

    for (int k = 0; k < simd->n_masked; k++) {
        const struct simd_masked *masked = &simd->masked[k];
        struct vec_operands inside = *operands;
        if (!is_call_of(operands->a, masked->call) || (masked->bits && masked->bits != type_bits(type)) ||
            (masked->last && !ends_with(operands->a, arena_printf(arena, ", %s)", operands->b))))
            continue;
        inside.a = arena_printf(arena, "%.*s", (int)(strlen(operands->a) - strlen(masked->call)) - 2,
                                operands->a + strlen(masked->call) + 1);
        vec_need_flags(lanes->emitter, vec_register(lanes, type)->mask_flags);
        return vec_filled(lanes, masked->row, &inside, type);
    }
    return NULL;
}

const char *vec_instruction(struct vec_lanes *lanes, enum vector_op op, enum type type, struct vec_operands operands)
{
    const struct simd_type *simd = vec_register(lanes, type);

    if (op == VECTOR_LIST && simd && !simd->row[op] && simd->row[VECTOR_LOAD])
        return list_in_memory(lanes, simd, operands.a);
    if (simd && !simd->row[op] && (op == VECTOR_LOAD_MASK || op == VECTOR_STORE_MASK))
        return vec_apart(lanes, type, operands, "1");
    if (op == VECTOR_SPLAT && simd && !simd->row[op] && vec_has_each(simd))
        return vec_each_splat(lanes, simd, operands.a);
    if (!simd || !simd->row[op]) {
        const char *each = vec_each_op(lanes, op, type, operands);
        return each ? each : vec_lack(lanes, row_names[op], type);
    }
    const char *masked = op == VECTOR_SELECT ? masked_call(lanes, type, &operands) : NULL;
    if (masked)
        return masked;
    if (op == VECTOR_LOAD_MASK || op == VECTOR_STORE_MASK)
        vec_need_flags(lanes->emitter, simd->mask_flags);
    vec_need_flags(lanes->emitter, simd->row[VECTOR_FLAGS]);
    return vec_filled(lanes, simd->row[op], &operands, type);
}
