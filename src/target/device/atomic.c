/* Updates that threads make of one element at the same time. */
#include "target/device/file.h"

#include "target/clike/convert.h"
#include "target/clike/expr.h"
#include "target/clike/types.h"

#include "caps/gpu.h"

#include <string.h>

/* The helper where devices have no such update of the type, and what they have in tables. */
static const struct update {
    char symbol;
    enum helper helper;
    const char *name;
} updates[] = {
    [OP_ADD] = {'+', HELPER_ATOMIC_SUM, "Add"},    [OP_SUB] = {'-', HELPER_ATOMIC_SUM, "Add"},
    [OP_MUL] = {'*', HELPER_ATOMIC_PRODUCT, NULL}, [OP_AND] = {'&', HELPER_ATOMIC_AND, "And"},
    [OP_OR] = {'|', HELPER_ATOMIC_OR, "Or"},       [OP_XOR] = {'^', HELPER_ATOMIC_XOR, "Xor"},
    [OP_MIN] = {'<', HELPER_ATOMIC_MIN, "Min"},    [OP_MAX] = {'>', HELPER_ATOMIC_MAX, "Max"},
};

struct expr_text device_update_value(struct emitter *emitter, const struct node *node)
{
    const enum type type = node->target.array->type;

    if (type == TYPE_F16 || type == TYPE_BF16)
        return expr_primary(expr_assigned(emitter, node->value, type), type);
    return expr_exact(emitter, node->value);
}

static const char *negative(struct emitter *emitter, struct expr_text value)
{
    const enum precedence least = value.text[0] == '-' ? PREC_PRIMARY : PREC_UNARY;

    return arena_printf(emitter->arena, "-%s", parenthesised(emitter, value.text, value.precedence, least));
}

/* "atomic_max_f32(&x[i], a);": products of signed integers are those of unsigned ones. */
static const char *exchange_text(struct emitter *emitter, const struct node *node, const struct update *update)
{
    const enum type type = node->target.array->type;
    const enum type own = update->symbol == '*' && !type_is_float(type) ? c_unsigned_type(type) : type;
    const struct expr_text value = device_update_value(emitter, node);
    const char *pointer = "", *text = update->symbol == '-' ? negative(emitter, value) : value.text;

    if (own != type)
        pointer = arena_printf(emitter->arena, "(%s *)", emitter_type(emitter, own));
    return arena_printf(emitter->arena, "%s(%s%s, %s);", helper_use(&emitter->helpers, update->helper, own), pointer,
                        device_address_text(emitter, &node->target), text);
}

/* 64-bit integers are long long there, sums of unsigned ones only. */
static const char *update_text(struct emitter *emitter, const struct node *node, const struct update *update)
{
    const enum type type = node->target.array->type;
    const bool wide = type == TYPE_I64 || type == TYPE_U64;
    const bool is_signed = type == TYPE_I64 && op_is_extreme(node->op);
    const char *word = is_signed ? "long long" : "unsigned long long", *pointer = "";
    struct expr_text value = device_update_value(emitter, node);

    if (wide) {
        pointer = arena_printf(emitter->arena, "(%s *)", word);
        value.text = arena_printf(emitter->arena, "(%s)%s", word,
                                  parenthesised(emitter, value.text, value.precedence, PREC_UNARY));
        value.precedence = PREC_UNARY;
    }
    return arena_printf(emitter->arena, "atomic%s(%s%s, %s);", update->name, pointer,
                        device_address_text(emitter, &node->target),
                        node->op == OP_SUB ? negative(emitter, value) : value.text);
}

const char *device_atomic_text(struct emitter *emitter, const struct node *node)
{
    const struct update *update = &updates[node->op];
    const struct gpu *gpu = gpu_by_language(emitter->program->target.language);
    const char *there = gpu_atomics(gpu, node->target.array->type);

    return strchr(there, update->symbol) ? update_text(emitter, node, update) : exchange_text(emitter, node, update);
}
