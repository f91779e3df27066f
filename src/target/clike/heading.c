#include "target/clike/heading.h"

#include "target/clike/expr.h"
#include "target/clike/index.h"
#include "target/clike/nodes/tuple.h"

#include <inttypes.h>

/* affine as the initial value of var. */
static const char *initial_text(struct emitter *emitter, const struct var *var, const struct affine *affine)
{
    const struct index_text text = index_affine(emitter, affine);

    if (!text.wide || !index_is_narrow(emitter, var))
        return text.text;
    return arena_printf(emitter->arena, "(int)%s", parenthesised(emitter, text.text, text.precedence, PREC_UNARY));
}

static const char *var_type(const struct emitter *emitter, const struct var *var)
{
    return index_is_narrow(emitter, var) ? "int" : "int64_t";
}

const char *heading_declaration(struct emitter *emitter, const struct var *var, const struct affine *affine)
{
    return arena_printf(emitter->arena, "%s %s = %s", var_type(emitter, var), var->name,
                        initial_text(emitter, var, affine));
}

/* "i += 4 * (int64_t)gridDim.x": a whole grid, or block, further on the loop's axis. */
static const char *walking_text(struct emitter *emitter, const struct node *loop)
{
    const int64_t size = loop->step < 0 ? -loop->step : loop->step;
    static const char *const apart[AXIS_COUNT] = {
        [AXIS_BLOCK_X] = "gridDim.x",   [AXIS_BLOCK_Y] = "gridDim.y",   [AXIS_BLOCK_Z] = "gridDim.z",
        [AXIS_THREAD_X] = "blockDim.x", [AXIS_THREAD_Y] = "blockDim.y", [AXIS_THREAD_Z] = "blockDim.z"};

    return arena_printf(emitter->arena, "%s %c= %s(%s)%s", loop->var->name, loop->step < 0 ? '-' : '+',
                        size == 1 ? "" : arena_printf(emitter->arena, "%" PRId64 " * ", size),
                        var_type(emitter, loop->var), apart[loop->axis]);
}

static const char *increment_text(struct emitter *emitter, const struct node *loop)
{
    const int64_t size = loop->step < 0 ? -loop->step : loop->step;
    const char sign = loop->step < 0 ? '-' : '+';

    if (loop->axis != AXIS_NONE)
        return walking_text(emitter, loop);
    if (size == 1)
        return arena_printf(emitter->arena, "%s%c%c", loop->var->name, sign, sign);
    return arena_printf(emitter->arena, "%s %c= %" PRId64, loop->var->name, sign, size);
}

static bool breaks(const struct node *node)
{
    return node->kind == NODE_LOOP && node->guard_value && (node->unroll || node->n_pragma) && !node->once;
}

const char *heading_break(struct emitter *emitter, const struct node *node)
{
    const struct tree_expr ends = {
        .kind = TREE_UNARY, .type = TYPE_BOOL, .op = OP_LNOT, .arg = &node->guard_value, .n_arg = 1};

    return breaks(node) ? arena_printf(emitter->arena, "if (%s)", expr_truth(emitter, &ends).text) : NULL;
}

const char *heading_loop(struct emitter *emitter, const struct node *node, bool declared)
{
    const char *condition = index_loop_condition(emitter, node), *start = "";

    if (node->once)
        return arena_printf(emitter->arena, "if (%s)", condition);
    if (!declared)
        start = heading_declaration(emitter, node->var, node->lower);
    if (node->guard_value && !breaks(node)) {
        const struct expr_text goes_on = expr_truth(emitter, node->guard_value);
        condition = arena_printf(emitter->arena, "%s && %s", condition,
                                 parenthesised(emitter, goes_on.text, goes_on.precedence, PREC_LAND));
    }
    return arena_printf(emitter->arena, "for (%s; %s; %s)", start, condition, increment_text(emitter, node));
}

const char *heading_tuple(struct emitter *emitter, const struct node *node)
{
    const char *name = node->var->name, *size = tuple_size(emitter, node, 0).text;

    if (node->axis == AXIS_NONE)
        return arena_printf(emitter->arena, "for (int64_t %s = 0; %s < %s; %s++)", name, name, size, name);
    return arena_printf(emitter->arena, "for (%s; %s < %s; %s)", heading_declaration(emitter, node->var, node->lower),
                        name, size, walking_text(emitter, node));
}
