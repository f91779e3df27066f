/* Pass "bind": loops that the plan binds to blocks or threads run over the positions of the launch, the same ones
 * wherever they stand, and test inside what isl's bounds say besides:
 *
 *     for (ii = 0; ii <= min(15, M - i - 1); ii++)          becomes
 *     for (ii = 0; ii <= 15; ii++) if (i + ii < M)
 *
 * The tree still says what runs; pass "grid" makes positions of the loops at the very end.
 */
#include "lower/bound.h"
#include "lower/descend.h"
#include "lower/facts.h"
#include "tree/translate.h"

#include "base/vec.h"
#include "caps/gpu.h"
#include "plan/loop_plan.h"
#include "tree/visit.h"

typedef VEC(struct condition) conditions;

static const struct affine *param_value(struct lowering *lowering, const struct expr *expr)
{
    const struct scope scope = {lowering->program, lowering->param_var, NULL};
    const struct affine *affine;

    return expr && affine_from_expr(lowering->arena, &scope, expr, &affine) ? affine : NULL;
}

/* Does a >= 0 follow wherever a statement of body runs? */
static bool is_tested_inside(const struct facts *facts, const struct node *body, const struct affine *a)
{
    if (facts_imply(facts, a))
        return true;
    if (body->kind == NODE_STATEMENT)
        return false;
    for (int k = 0; k < body->n_child; k++) {
        struct facts inside = *facts;
        facts_enter(&inside, body, k);
        if (!is_tested_inside(&inside, body->child[k], a))
            return false;
    }
    return true;
}

/* sign * (argument - var) >= 0 for the arguments of bound that do not follow. */
static void test_bound(const struct facts *facts, const struct node *loop, const struct affine *bound, int sign,
                       conditions *tested)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *const *arg;
    enum atom_kind kind;
    const int n = bound_args(arena, bound, &arg, &kind);

    for (int k = 0; k < n; k++) {
        const struct affine *left = affine_scale(arena, affine_sub(arena, arg[k], affine_var(arena, loop->var)), sign);
        if (!left || !is_tested_inside(facts, loop->child[0], left))
            VEC_PUSH(arena, tested, ((struct condition){left, false}));
    }
}

/* The loop over all its positions. */
static const struct node *whole(struct lowering *lowering, const struct node *loop)
{
    struct arena *arena = lowering->arena;
    const struct affine *first = param_value(lowering, loop_plan_first(arena, lowering->program, loop->info));
    const struct affine *size = param_value(lowering, loop->info->plan->size);
    const struct affine *span = size ? affine_scale(arena, affine_add_constant(arena, size, -1), loop->step) : NULL;
    struct node *copy = ARENA_NEW(arena, struct node);

    if (!first || !span)
        return NULL;
    *copy = *loop;
    copy->axis = loop->info->plan->axis;
    return node_with_bounds(arena, copy, first, affine_add(arena, first, span));
}

static const struct node *bind(const struct facts *facts, const struct node *loop)
{
    struct arena *arena = facts->lowering->arena;
    const struct node *bound = whole(facts->lowering, loop), *body = loop->child[0];
    const int sign = loop->step < 0 ? -1 : 1;
    struct guard *guard = ARENA_NEW(arena, struct guard);
    conditions tested = {0};
    struct facts inside;

    if (!bound)
        return NULL;
    inside = *facts;
    facts_enter_loop(&inside, bound);
    test_bound(&inside, loop, loop->lower, -sign, &tested);
    test_bound(&inside, loop, loop->upper, sign, &tested);
    *guard = (struct guard){tested.at, tested.n};
    return node_with_body(arena, bound, tested.n ? node_if(arena, guard, 1, body) : body);
}

static bool is_bound(const struct node *node)
{
    return node->kind == NODE_LOOP && node->info && node->info->plan && node->info->plan->axis != AXIS_NONE;
}

static const struct node *walk(const struct facts *facts, const struct node *node, void *user)
{
    if (is_bound(node))
        node = bind(facts, node);
    return node ? descend(facts, node, walk, user) : NULL;
}

const struct node *lower_bind(struct lowering *lowering, const struct node *tree)
{
    struct facts facts;

    if (!gpu_by_language(lowering->program->target.language))
        return tree;
    facts = facts_of_program(lowering);
    tree = walk(&facts, tree, NULL);
    return tree;
}
