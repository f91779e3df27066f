/* Updates of one element by the threads of a warp: the values are exchanged, and one thread makes one update.
 *
 *     const float s_warp = warp_sum_f32(j + jj < N ? x[j + jj] : 0.0f);
 *     if (jj == 0 && j < N)
 *         s += s_warp;
 */
#include "target/device/file.h"

#include "target/clike/convert.h"
#include "target/clike/expr.h"
#include "target/clike/index.h"
#include "target/clike/types.h"

static const enum helper helpers[] = {
    [OP_ADD] = HELPER_WARP_SUM, [OP_SUB] = HELPER_WARP_SUM, [OP_MUL] = HELPER_WARP_PRODUCT, [OP_MIN] = HELPER_WARP_MIN,
    [OP_MAX] = HELPER_WARP_MAX, [OP_AND] = HELPER_WARP_AND, [OP_OR] = HELPER_WARP_OR,       [OP_XOR] = HELPER_WARP_XOR,
};

static bool may_overflow(const struct node *node)
{
    const enum type type = node->target.array->type;

    return type_is_signed(type) && !type_is_float(type) && op_grows(node->op);
}

/* The type in which values are exchanged: of integers one of at least 32 bits, in which nothing overflows. */
static enum type own_type(const struct node *node)
{
    const enum type type = node->target.array->type;

    if (type_is_float(type) || (type_bits(type) >= 32 && !may_overflow(node)))
        return type;
    return op_is_extreme(node->op) ? TYPE_I32 : c_unsigned_type(type);
}

/* What changes no element of the type, in the type that values are exchanged in. */
static const char *neutral(struct emitter *emitter, enum expr_op op, enum type type, enum type own)
{
    const bool half = type == TYPE_F16 || type == TYPE_BF16;
    struct text text = {0};
    const char *copy;

    if (type_is_float(type)) {
        emitter->uses_math |= op_is_extreme(op);
        c_real_literal(&text, half ? TYPE_F32 : type, op_neutral_spelling(op));
    } else {
        c_int_literal(&text, own, op_neutral_integer(op, type), false);
    }
    copy = arena_copy(emitter->arena, text_str(&text));
    text_free(&text);
    return half ? convert_to(emitter, expr_primary(copy, TYPE_F32), type).text : copy;
}

/* "warp_sum_f32(j + jj < N ? x[j + jj] : 0.0f)" */
static const char *total_text(struct emitter *emitter, const struct node *node, const char *taking)
{
    const enum type type = node->target.array->type, own = own_type(node);
    const struct expr_text value = device_update_value(emitter, node);
    const char *text = value.text;

    if (own != type)
        text = arena_printf(emitter->arena, "(%s)%s", emitter_type(emitter, own),
                            parenthesised(emitter, text, value.precedence, PREC_UNARY));
    if (taking)
        text = arena_printf(emitter->arena, "%s ? %s : %s", taking, text, neutral(emitter, node->op, type, own));
    text = arena_printf(emitter->arena, "%s(%s)", helper_use(&emitter->helpers, helpers[node->op], own), text);
    return own != type ? arena_printf(emitter->arena, "(%s)%s", emitter_type(emitter, type), text) : text;
}

/* min(target, total) */
static const struct tree_expr *extreme(struct emitter *emitter, const struct node *node, const struct tree_expr *total)
{
    struct tree_expr *load = ARENA_NEW(emitter->arena, struct tree_expr);
    struct tree_expr *call = ARENA_NEW(emitter->arena, struct tree_expr);
    const struct tree_expr **arg = ARENA_ARRAY(emitter->arena, 2, const struct tree_expr *);

    *load = (struct tree_expr){.kind = TREE_LOAD, .type = total->type, .element = node->target};
    arg[0] = load;
    arg[1] = total;
    *call = (struct tree_expr){.kind = TREE_CALL,
                               .type = total->type,
                               .arg = arg,
                               .n_arg = 2,
                               .function = node->op == OP_MIN ? FUNCTION_MIN : FUNCTION_MAX};
    return call;
}

/* The one update, by the value of that name. */
static const char *update_text(struct emitter *emitter, const struct node *node, const char *name)
{
    struct node *update = ARENA_NEW(emitter->arena, struct node);
    struct tree_expr *total = ARENA_NEW(emitter->arena, struct tree_expr);
    struct scalar *scalar = ARENA_NEW(emitter->arena, struct scalar);

    scalar->name = name;
    scalar->type = node->target.array->type;
    *total = (struct tree_expr){.kind = TREE_SCALAR, .type = scalar->type, .scalar = scalar};
    *update = *node;
    update->value = total;
    update->wrap |= may_overflow(node);
    if (node->atomic)
        return device_atomic_text(emitter, update);
    if (node->warp_sum->by_warp) {
        update->op = OP_NONE;
        return assignment_text(emitter, update);
    }
    if (op_is_extreme(node->op)) {
        update->op = OP_NONE;
        update->value = extreme(emitter, node, total);
    }
    return assignment_text(emitter, update);
}

static void print_update(struct emitter *emitter, const struct node *node, const char *total, const char *also)
{
    const int threads = node->warp_sum->threads, warp = node->warp_sum->warp;
    const char *x = index_affine(emitter, node->lower).text;
    const char *place = threads <= warp ? x : arena_printf(emitter->arena, "%s %% %d", x, warp);
    const char *first = arena_printf(emitter->arena, "%s == 0", place);

    if (also)
        write_linef(&emitter->writer, "if (%s && %s)", first, also);
    else
        write_linef(&emitter->writer, "if (%s)", first);
    emitter->writer.indent++;
    write_line(&emitter->writer, update_text(emitter, node, total));
    emitter->writer.indent--;
}

/* Its names stay taken: what is in the same block may be printed later. */
void device_print_warp_sum(struct emitter *emitter, const struct node *node)
{
    const char *array = node->target.array->name, *also = NULL;
    const char *like = node->warp_sum->total ? node->warp_sum->total : arena_printf(emitter->arena, "%s_warp", array);
    const char *total = names_unique(&emitter->names, like);
    const char *taking = node->n_alternative ? index_guards(emitter, node->alternative, node->n_alternative) : NULL;

    if (node->warp_sum->scattered) {
        also = names_unique(&emitter->names, arena_printf(emitter->arena, "%s_any", array));
        write_linef(&emitter->writer, "const int %s = %s;", also,
                    template_operation(emitter->arena, emitter->dialect->device->any, &taking, 1));
    } else if (node->warp_sum->update->n > 0) {
        also = index_guards(emitter, node->warp_sum->update, 1);
    }
    write_linef(&emitter->writer, "const %s %s = %s;", emitter_type(emitter, node->target.array->type), total,
                total_text(emitter, node, taking));
    print_update(emitter, node, total, also);
}
