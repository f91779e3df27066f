#include "target/clike/convert.h"

#include "base/names.h"
#include "target/clike/index.h"
#include "target/clike/types.h"

#include <ctype.h>
#include <string.h>

struct expr_text expr_primary(const char *text, enum type type)
{
    return (struct expr_text){.text = text, .precedence = PREC_PRIMARY, .type = type, .truth = type == TYPE_BOOL};
}

struct expr_text expr_call(struct emitter *emitter, const char *name, const char *args, enum type type)
{
    return expr_primary(arena_printf(emitter->arena, "%s(%s)", name, args), type);
}

bool expr_is_short(struct expr_text text)
{
    return text.short_inside || text.type == TYPE_I8 || text.type == TYPE_I16;
}

/* gcc 12 warns of a changed sign where such an operand is cast to uint32_t; adding 0 first is the same and silent. */
static bool is_misreported(struct expr_text from, enum type to)
{
    return to == TYPE_U32 && type_is_signed(from.type) && !type_is_float(from.type) && expr_is_short(from);
}

bool emitter_has_class(const struct emitter *emitter, enum type type)
{
    return emitter->dialect->half && (type == TYPE_F16 || type == TYPE_BF16);
}

const char *emitter_type(const struct emitter *emitter, enum type type)
{
    if (emitter_has_class(emitter, type))
        return emitter->dialect->half[type == TYPE_BF16].type;
    return c_type_name(type);
}

enum type emitter_value_type(const struct emitter *emitter, enum type type)
{
    return type == TYPE_F16 && !emitter->dialect->half ? TYPE_F32 : type;
}

static struct expr_text cast_text(struct emitter *emitter, struct expr_text from, enum type type)
{
    const char *text = parenthesised(emitter, from.text, from.precedence, PREC_UNARY);

    if (is_misreported(from, type))
        text = arena_printf(emitter->arena, "(%s + 0)", text);
    text = arena_printf(emitter->arena, "(%s)%s", c_type_name(type), text);
    return (struct expr_text){.text = text, .precedence = PREC_UNARY, .type = type};
}

struct expr_text convert_zero_test(struct emitter *emitter, struct expr_text from, const char *op)
{
    struct text zero = {0};

    if (from.type == TYPE_BF16 || from.type == TYPE_F16)
        from = convert_to(emitter, from, TYPE_F32);
    const char *text = parenthesised(emitter, from.text, from.precedence, PREC_SHIFT);
    c_int_literal(&zero, from.type, 0, true);
    text = arena_printf(emitter->arena, "%s %s %s", text, op, text_str(&zero));
    text_free(&zero);
    return (struct expr_text){.text = text, .precedence = PREC_EQUAL, .type = TYPE_I32, .truth = true};
}

struct expr_text convert_truth(struct emitter *emitter, struct expr_text from)
{
    return from.truth ? from : convert_zero_test(emitter, from, "!=");
}

struct expr_text convert_number(struct emitter *emitter, struct expr_text truth)
{
    const char *text = parenthesised(emitter, truth.text, truth.precedence, PREC_LOR);

    text = arena_printf(emitter->arena, "%s ? 1 : 0", text);
    return (struct expr_text){.text = text, .precedence = PREC_SELECT, .type = TYPE_I32};
}

/* Is a function called in the text? */
static bool has_call(const char *text)
{
    for (const char *at = strchr(text, '('); at; at = strchr(at + 1, '('))
        if (at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_'))
            return true;
    return false;
}

bool convert_bits(struct emitter *emitter, enum expr_op op, struct expr_text *left, struct expr_text right)
{
    const bool bits =
        (op == OP_AND || op == OP_OR || op == OP_XOR) && (left->truth || left->bits) && (right.truth || right.bits);
    const char *operand;

    if (!bits || op == OP_XOR || !has_call(left->text) || !has_call(right.text))
        return bits;
    operand = parenthesised(emitter, left->text, left->precedence, PREC_UNARY);
    *left = (struct expr_text){.text = arena_printf(emitter->arena, "(int)%s", operand),
                               .precedence = PREC_UNARY,
                               .type = TYPE_I32};
    return false;
}

/* An f16 or bf16 as a float. */
static struct expr_text widened_half(struct emitter *emitter, struct expr_text from)
{
    const enum helper helper = from.type == TYPE_F16 ? HELPER_FROM_F16 : HELPER_FROM_BF16;

    emitter->uses_half[from.type == TYPE_BF16] = true;
    if (emitter->dialect->half)
        return expr_call(emitter, emitter->dialect->half[from.type == TYPE_BF16].widen, from.text, TYPE_F32);
    return expr_call(emitter, helper_use(&emitter->helpers, helper, TYPE_F32), from.text, TYPE_F32);
}

/* from, of another type, as an f16 or bf16. */
static struct expr_text narrowed_half(struct emitter *emitter, struct expr_text from, enum type type)
{
    enum helper helper = type == TYPE_F16 ? HELPER_TO_F16 : HELPER_TO_BF16;
    const struct half_words *words = emitter->dialect->half ? &emitter->dialect->half[type == TYPE_BF16] : NULL;

    emitter->uses_half[type == TYPE_BF16] = true;
    if (words && from.type == TYPE_F64 && words->narrow_f64)
        return expr_call(emitter, words->narrow_f64, from.text, type);
    if (words)
        return expr_call(emitter, words->narrow, convert_to(emitter, from, TYPE_F32).text, type);
    if (type == TYPE_F16)
        helper_use(&emitter->helpers, HELPER_F16_BITS, TYPE_F32);
    if (type == TYPE_F16 && from.type == TYPE_F64)
        helper = HELPER_F64_TO_F16;
    else
        from = convert_to(emitter, from, TYPE_F32);
    return expr_call(emitter, helper_use(&emitter->helpers, helper, TYPE_F32), from.text, type);
}

struct expr_text convert_to(struct emitter *emitter, struct expr_text from, enum type type)
{
    if (from.type == type)
        return from;
    if (from.type == TYPE_BF16 || from.type == TYPE_F16)
        return convert_to(emitter, widened_half(emitter, from), type);
    if (type == TYPE_BF16 || type == TYPE_F16)
        return narrowed_half(emitter, from, type);
    if (type == TYPE_BOOL) {
        from = convert_truth(emitter, from);
        from.type = TYPE_BOOL;
        return from;
    }
    return cast_text(emitter, from, type);
}

/* clang warns of `-x` of a number without sign where C widens it unasked. */
static bool is_doubted(struct expr_text from, enum type to)
{
    const bool negative = from.precedence == PREC_UNARY && from.text[0] == '-';

    return negative && !type_is_float(from.type) && !type_is_signed(from.type) && !type_is_float(to) && from.type != to;
}

bool convert_is_widened(struct expr_text from, enum type to)
{
    return c_widens(from.type, to) && !is_doubted(from, to);
}

struct expr_text convert_doubted(struct emitter *emitter, struct expr_text text, enum type to)
{
    return is_doubted(text, to) ? convert_to(emitter, text, to) : text;
}

const char *convert_kept(struct emitter *emitter, const char *target, const char *value, const char *type)
{
    const bool itself = strcmp(target, value) == 0 && name_is_identifier(target);

    return itself ? arena_printf(emitter->arena, "(%s)%s", type, value) : value;
}
