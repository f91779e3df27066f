#include "lower/instr/dots.h"

#include "base/diag.h"
#include "caps/simd.h"
#include "plan/loop_plan.h"
#include "program/expr/range.h"
#include "program/permit.h"
#include "tree/layout.h"
#include "tree/visit.h"

#include <inttypes.h>

/* The loop at hand. */
struct dots {
    struct lowering *lowering;
    const struct node *loop;
    int64_t depth; /* its iterations */
};

static const struct node *refuse(const struct dots *dots, const char *hint, const char *text)
{
    const struct step *step = dots->loop->info->plan->dot_step;

    if (!dots->lowering->refused) {
        struct diag *diag = diag_error(dots->lowering->diags, "tensorize", step->place,
                                       "`%s` is not what an instruction computes: %s", dots->loop->info->name, text);
        if (hint)
            diag_hint(dots->lowering->diags, diag, "%s", hint);
    }
    dots->lowering->refused = true;
    return NULL;
}

/* The element of the loop's first iteration; *step: elements of storage from one iteration to the next, -1: not one
 * constant. */
static struct element first_element(const struct dots *dots, const struct element *element, int64_t *step)
{
    struct arena *arena = dots->lowering->arena;
    const struct scope parameters = {dots->lowering->program, dots->lowering->param_var, NULL};
    const struct array *array = element->array;
    const struct affine *zero = affine_constant(arena, 0);
    const struct affine **index = ARENA_ARRAY(arena, array->n_dim + 1, const struct affine *);
    int *order = ARENA_ARRAY(arena, array->n_dim + 1, int);
    int64_t *ratio = ARENA_ARRAY(arena, array->n_dim + 1, int64_t), unit = array->stride ? 0 : 1;
    struct element result = *element;

    *step = 0;
    array_steps(arena, &parameters, array, order, ratio);
    for (int k = array->n_dim - 1; k >= 0; k--) {
        const struct affine *a = element->index[order[k]];
        int64_t factor = 0;
        const bool linear = a && affine_linear_factor(arena, a, dots->loop->var, &factor);
        index[order[k]] = a ? affine_substitute(arena, a, dots->loop->var, zero) : NULL;
        if (!index[order[k]] || !linear || (factor && unit == 0))
            *step = -1;
        if (*step >= 0)
            *step += factor * unit;
        unit *= ratio[k];
    }
    result.index = index;
    return result;
}

/* depth neighbouring elements as one value of 32 bits; NULL after a refusal. */
static const struct tree_expr *group_of(const struct dots *dots, const struct tree_expr *factor)
{
    struct tree_expr *group = ARENA_NEW(dots->lowering->arena, struct tree_expr);
    int64_t step;

    if (factor->kind != TREE_LOAD || factor->element.indirect) {
        refuse(dots, NULL, "a factor is not an element of an array");
        return NULL;
    }
    *group = *factor;
    group->element = first_element(dots, &factor->element, &step);
    if (step != 1 || (factor->element.lane_step != 0 && factor->element.lane_step != dots->depth)) {
        refuse(dots, "lay it out by a cache whose last dimensions are the lanes and the summands",
               arena_printf(dots->lowering->arena,
                            "the factors of a lane in `%s` are not neighbours, or lanes not next to each other",
                            factor->element.array->name));
        return NULL;
    }
    group->type = TYPE_I32;
    group->integer = dots->depth;
    group->element.lane_step = factor->element.lane_step ? 1 : 0;
    return group;
}

static bool is_product(const struct tree_expr *value, enum type sum)
{
    return value->kind == TREE_BINARY && value->op == OP_MUL && value->type == sum;
}

/* Is everything permitted in which such instructions differ from the description? */
static bool may_round(const struct dots *dots, const struct statement *statement)
{
    const unsigned all = PERMIT_REASSOCIATE | PERMIT_CONTRACT | PERMIT_APPROXIMATE;

    return (statement_permit(dots->lowering->program, statement) & all) == all;
}

/* A sum of two products that 16 bits do not hold; 0: all fit. */
static int64_t beyond_16_bits(const struct dots *dots, const struct tree_expr *const factor[2])
{
    const struct program *program = dots->lowering->program;
    const struct range a = array_range(program, factor[0]->element.array),
                       b = array_range(program, factor[1]->element.array);
    const int64_t corner[4] = {a.least * b.least, a.least * b.greatest, a.greatest * b.least, a.greatest * b.greatest};

    for (int k = 0; k < 4; k++)
        if (2 * corner[k] < INT16_MIN || 2 * corner[k] > INT16_MAX)
            return 2 * corner[k];
    return 0;
}

/* Does a row that adds up pairs of products in 16 bits compute these factors' sums? */
static bool pairs_fit(const struct dots *dots, const struct simd *simd, const struct tree_expr *const factor[2])
{
    const int64_t sum = beyond_16_bits(dots, factor);
    const int narrow = factor[0]->type == TYPE_I8 ? 0 : 1;
    struct arena *arena = dots->lowering->arena;

    if (sum != 0)
        refuse(dots,
               arena_printf(arena,
                            "tell what is known of the elements, as \"values\": \"-64 <= %s <= 64\"; or sum up pairs "
                            "of 16-bit numbers in a `cache` of \"type\": \"i16\"",
                            factor[narrow]->element.array->name),
               arena_printf(arena, "%s adds up two products in 16 bits, and two can be %" PRId64, simd->name, sum));
    return sum == 0;
}

/* The loop's variable tells instances of the node itself apart. */
static void tell_instances(const struct dots *dots, struct node *node)
{
    struct inner_dim *inner = ARENA_ARRAY(dots->lowering->arena, node->n_inner + 1, struct inner_dim);

    for (int k = 0; k < node->n_inner; k++)
        inner[k] = node->inner[k];
    inner[node->n_inner++] = (struct inner_dim){dots->loop->var, dots->depth, false};
    node->inner = inner;
}

/* assign, updated by all iterations of the loop at once. */
static const struct node *dot(struct dots *dots, const struct node *assign)
{
    struct arena *arena = dots->lowering->arena;
    const enum type sum = assign->target.array->type;
    const struct simd *simd = simd_by_name(dots->lowering->program->target.simd);
    const struct tree_expr *factor[2], **arg = ARENA_ARRAY(arena, 2, const struct tree_expr *);
    struct tree_expr *value = ARENA_NEW(arena, struct tree_expr);
    struct node *result = ARENA_NEW(arena, struct node);
    const struct simd_dot *row;

    if (assign->op != OP_ADD || !is_product(assign->value, sum) || assign->guard_value)
        return refuse(dots, NULL, "its body is not the sum of products, `c += a * b`");
    for (int k = 0; k < 2; k++)
        factor[k] = tree_expr_unwidened(assign->value->arg[k]);
    row = simd_dot_of(simd, factor[0]->type, factor[1]->type, sum, assign->vector->lanes, (int)dots->depth);
    if (!row)
        return refuse(dots, NULL,
                      arena_printf(arena, "%s has no sum of %d products of %s and %s in %d lanes of %s", simd->name,
                                   (int)dots->depth, type_name(factor[0]->type), type_name(factor[1]->type),
                                   assign->vector->lanes, type_name(sum)));
    if (row->rounding && !may_round(dots, assign->statement))
        return refuse(dots, "permit it: \"permit\": [\"reassociate\", \"contract\", \"approximate\"]", row->rounding);
    for (int k = 0; k < 2; k++) {
        const bool second = row->a != factor[0]->type;
        arg[k] = group_of(dots, factor[second ? 1 - k : k]);
        if (!arg[k])
            return NULL;
    }
    if (row->in_16_bits && !pairs_fit(dots, simd, factor))
        return NULL;
    *value = (struct tree_expr){.kind = TREE_DOT, .type = sum, .arg = arg, .n_arg = 2, .dot = row};
    *result = *assign;
    result->value = value;
    tell_instances(dots, result);
    return result;
}

static const struct node *replace(struct lowering *lowering, const struct node *loop)
{
    struct dots dots = {lowering, loop, 0};
    const struct node *body = loop->child[0];
    int64_t last;

    if (!affine_is_constant(loop->lower, &last) || last != 0 || !affine_is_constant(loop->upper, &last) ||
        loop->step != 1 || body->kind == NODE_IF)
        return refuse(&dots, "make its length constant: \"assume\" that the sizes divide, or \"tail\": \"round_up\"",
                      "its length is not constant");
    dots.depth = last + 1;
    if (body->kind != NODE_ASSIGN || !body->vector)
        return refuse(&dots, NULL, "its body is not one statement in vectors");
    return dot(&dots, body);
}

const struct node *lower_dots(struct lowering *lowering, const struct node *tree)
{
    const struct node **child;

    if (tree->kind == NODE_LOOP && tree->info && tree->info->plan && tree->info->plan->dot_step)
        return replace(lowering, tree);
    if (tree->n_child == 0)
        return tree;
    child = ARENA_ARRAY(lowering->arena, tree->n_child, const struct node *);
    for (int k = 0; k < tree->n_child; k++) {
        child[k] = lower_dots(lowering, tree->child[k]);
        if (!child[k])
            return NULL;
    }
    return node_with_children(lowering->arena, tree, child);
}
