/* Updates that threads make of one element at the same time. */
#include "target/cuda/file.h"

#include "target/clike/expr.h"

static const char *atomic_name(enum expr_op op)
{
    switch (op) {
    case OP_AND:
        return "And";
    case OP_OR:
        return "Or";
    case OP_XOR:
        return "Xor";
    case OP_MIN:
        return "Min";
    case OP_MAX:
        return "Max";
    default:
        return "Add";
    }
}

/* CUDA has 64-bit integers as long long, sums of unsigned ones only. */
const char *cuda_atomic_text(struct emitter *emitter, const struct node *node)
{
    const enum type type = node->target.array->type;
    const bool is_signed = type == TYPE_I64 && (node->op == OP_MIN || node->op == OP_MAX);
    const char *word = is_signed ? "long long" : "unsigned long long", *pointer = "", *cast = "";
    const struct expr_text value = expr_exact(emitter, node->value);
    const bool negates = node->op == OP_SUB, alone = type != TYPE_I64 && type != TYPE_U64 && !negates;

    if (type == TYPE_I64 || type == TYPE_U64) {
        pointer = arena_printf(emitter->arena, "(%s *)", word);
        cast = arena_printf(emitter->arena, "(%s)", word);
    }
    return arena_printf(emitter->arena, "atomic%s(%s%s, %s%s%s);", atomic_name(node->op), pointer,
                        cuda_address_text(emitter, &node->target), cast, negates ? "-" : "",
                        alone ? value.text : parenthesised(emitter, value.text, value.precedence, PREC_UNARY));
}
