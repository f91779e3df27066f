/* Pass "bind": loops that the plan binds to blocks or threads run over the positions of the launch, the same ones
 * wherever they stand, and test inside what isl's bounds say besides:
 *
 *     for (ii = 0; ii <= min(15, M - i - 1); ii++)          becomes
 *     for (ii = 0; ii <= 15; ii++) if (i + ii < M)
 *
 * The tree still says what runs; pass "grid" makes positions of the loops at the very end.
 */
#include "lower/body/declarations.h"
#include "lower/facts/bound.h"
#include "lower/facts/descend.h"
#include "lower/facts/facts.h"
#include "lower/facts/pending.h"
#include "tree/translate.h"

#include "base/vec.h"
#include "caps/gpu.h"
#include "plan/device/copies/dealing.h"
#include "plan/loop_plan.h"
#include "program/program.h"
#include "tree/visit.h"

#include <stdlib.h>

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

/* What is tested of a bound loop: at each position, and for all of them at once. */
struct tests {
    conditions inside, around;
};

/* The condition where the loop's variable has the value. */
static struct condition at_value(struct arena *arena, const struct affine *left, const struct var *var,
                                 const struct affine *value)
{
    return (struct condition){affine_substitute(arena, left, var, value), false};
}

static void add_inside(struct arena *arena, conditions *inside, struct condition condition)
{
    for (int k = 0; k < inside->n; k++)
        if (condition_join(arena, &inside->at[k], &condition))
            return;
    VEC_PUSH(arena, inside, condition);
}

/* Adds left >= 0: does it hold for all positions when it holds for the one where it is likeliest? */
static void add_test(const struct facts *facts, const struct node *bound, const struct affine *left, int sign,
                     struct tests *tests)
{
    struct arena *arena = facts->lowering->arena;
    const bool ends = bound->step < 0 ? sign < 0 : sign > 0;
    const struct condition likely = at_value(arena, left, bound->var, ends ? bound->lower : bound->upper);
    const struct condition unlikely = at_value(arena, left, bound->var, ends ? bound->upper : bound->lower);
    struct facts inside = *facts;

    if (facts->lowering->program->n_assume > 0 && !bound->info->whole && likely.affine && unlikely.affine) {
        facts_assume_condition(&inside, &likely);
        if (facts_imply_condition(&inside, &unlikely)) {
            VEC_PUSH(arena, &tests->around, unlikely);
            return;
        }
    }
    add_inside(arena, &tests->inside, (struct condition){left, false});
}

/* sign * (argument - var) >= 0 for the arguments of end that do not follow; for all of it where one is enough. */
static void test_bound(const struct facts *facts, const struct node *loop, const struct node *bound,
                       const struct affine *end, int sign, struct tests *tests)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *const *arg;
    enum atom_kind kind;
    const int n = bound_args(arena, end, &arg, &kind);
    const bool any = n > 1 && kind != (sign > 0 ? ATOM_MIN : ATOM_MAX);

    for (int k = 0; k < (any ? 1 : n); k++) {
        const struct affine *side = affine_sub(arena, any ? end : arg[k], affine_var(arena, loop->var));
        const struct affine *left = affine_scale(arena, side, sign);
        if (!left || !is_tested_inside(facts, loop->child[0], left))
            add_test(facts, bound, left, sign, tests);
    }
}

/* From one position of the loop to the next, from the first one on; isl may have made larger steps where not all
 * positions have iterations, which are those of a loop that is dealt out. */
static int64_t position_step(const struct node *loop, const struct affine *first)
{
    const int64_t step = llabs(loop->info->stride * loop->info->unit);

    if (is_dealt(loop->info) && affine_equal(loop->lower, first))
        return loop->step;
    return loop->step < 0 ? -step : step;
}

/* N - 1 for max(0, N - 1): a loop to that end has no iterations, either. */
static const struct affine *without_zero(struct arena *arena, const struct affine *size)
{
    const struct affine *const *arg, **rest;
    enum atom_kind kind;
    const int n = bound_args(arena, size, &arg, &kind);
    int n_rest = 0;
    int64_t value;

    if (n < 2 || kind != ATOM_MAX)
        return size;
    rest = ARENA_ARRAY(arena, n, const struct affine *);
    for (int k = 0; k < n; k++)
        if (!affine_is_constant(arg[k], &value) || value != 0)
            rest[n_rest++] = arg[k];
    return affine_extreme(arena, ATOM_MAX, rest, n_rest);
}

/* The loop over all its positions, or, where its iterations are dealt out, from the first one to its own end. */
static const struct node *whole(struct lowering *lowering, const struct node *loop)
{
    struct arena *arena = lowering->arena;
    const struct affine *first = param_value(lowering, loop_plan_first(arena, lowering->program, loop->info));
    const struct affine *size = param_value(lowering, loop->info->plan->size);
    const int64_t step = first ? position_step(loop, first) : 1;
    const struct affine *last = size ? affine_add_constant(arena, without_zero(arena, size), -1) : NULL;
    const struct affine *span = last ? affine_scale(arena, last, step) : NULL;
    struct node *copy = ARENA_NEW(arena, struct node);

    if (!first || !span)
        return NULL;
    *copy = *loop;
    copy->axis = loop->info->plan->axis;
    copy->step = step;
    return node_with_bounds(arena, copy, first, is_dealt(loop->info) ? loop->upper : affine_add(arena, first, span));
}

/* Adds that the position is one of the loop's steps. */
static void test_step(const struct facts *facts, const struct node *loop, const struct node *bound, struct tests *tests)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *far = affine_sub(arena, affine_var(arena, loop->var), loop->lower);

    if (loop->step == bound->step)
        return;
    far = far ? affine_mod(arena, far, llabs(loop->step)) : NULL;
    facts->lowering->failed |= !far;
    if (far)
        VEC_PUSH(arena, &tests->inside, ((struct condition){far, true}));
}

static bool is_bound(const struct node *node)
{
    return node->kind == NODE_LOOP && node->info && node->info->plan && node->info->plan->axis != AXIS_NONE;
}

/* body under the condition, which is tested inside of loops that are to be whole: pieces of them are then one. */
static const struct node *tested_in(struct arena *arena, const struct guard *guard, const struct node *body)
{
    if (is_bound(body) && body->info->whole)
        return node_with_body(arena, body, tested_in(arena, guard, body->child[0]));
    return node_if(arena, guard, 1, body);
}

static const struct guard *guard_of(struct arena *arena, const conditions *list)
{
    struct guard *guard = ARENA_NEW(arena, struct guard);

    *guard = (struct guard){list->at, list->n};
    return guard;
}

static const struct node *bind(const struct facts *facts, const struct node *loop)
{
    struct arena *arena = facts->lowering->arena;
    const struct node *bound = whole(facts->lowering, loop), *body = loop->child[0];
    const int sign = loop->step < 0 ? -1 : 1;
    struct tests tests = {0};
    struct facts inside;

    if (!bound)
        return NULL;
    inside = *facts;
    facts_enter_loop(&inside, bound);
    test_bound(&inside, loop, bound, loop->lower, -sign, &tests);
    if (!is_dealt(loop->info))
        test_bound(&inside, loop, bound, loop->upper, sign, &tests);
    test_step(&inside, loop, bound, &tests);
    if (tests.inside.n)
        body = tested_in(arena, guard_of(arena, &tests.inside), body);
    bound = node_with_body(arena, bound, body);
    return tests.around.n && bound ? node_if(arena, guard_of(arena, &tests.around), 1, bound) : bound;
}

/* node, a condition around a loop that is to be whole, as the loop with the condition inside. */
static const struct node *sunk(struct arena *arena, const struct node *node)
{
    const struct node *loop = node->n_child == 1 ? node->child[0] : NULL;

    if (node->kind != NODE_IF || !is_bound(loop) || !loop->info->whole)
        return node;
    return node_with_body(arena, loop, node_if(arena, node->alternative, node->n_alternative, loop->child[0]));
}

struct search {
    const struct array *array;
    bool found;
};

static void look_for_array(const struct node *node, void *user)
{
    struct search *search = user;

    for (int k = 0; node->kind == NODE_STATEMENT && k < node->statement->n_access; k++)
        search->found |= node->statement->access[k].array == search->array;
}

static bool uses(const struct node *node, const struct array *array)
{
    struct search search = {array, false};

    node_for_each(node, look_for_array, &search);
    return search.found;
}

/* Has an iteration of the loop, of which both are pieces, values for itself that both use? */
static bool share_values(const struct program *program, const struct node *a, const struct node *b)
{
    for (int k = 0; k < program->n_array; k++)
        if (array_stays_in(a, &program->array[k]) && uses(a, &program->array[k]) && uses(b, &program->array[k]))
            return true;
    return false;
}

/* Are both pieces of one loop that is to be whole, or whose iterations have values that both use? */
static bool are_pieces(const struct program *program, const struct node *a, const struct node *b)
{
    return is_bound(a) && is_bound(b) && a->info == b->info && (a->info->whole || share_values(program, a, b));
}

/* The conditions that node is under, one in the other; *inside: what they are around. */
static conditions conditions_around(struct arena *arena, const struct node *node, const struct node **inside)
{
    conditions found = {0};

    for (; node->kind == NODE_IF && node->n_alternative == 1 && node->n_child == 1 && !node->comment;
         node = node->child[0])
        for (int c = 0; c < node->alternative->n; c++)
            VEC_PUSH(arena, &found, node->alternative->condition[c]);
    *inside = node;
    return found;
}

static bool has_condition(const conditions *list, const struct condition *condition)
{
    return guard_has(&(struct guard){list->at, list->n}, condition);
}

/* node under those of the conditions that are (not) among others. */
static const struct node *under(struct arena *arena, const conditions *list, const conditions *others, bool among,
                                const struct node *node)
{
    conditions chosen = {0};

    for (int k = 0; k < list->n; k++)
        if (has_condition(others, &list->at[k]) == among)
            VEC_PUSH(arena, &chosen, list->at[k]);
    return chosen.n && node ? node_if(arena, guard_of(arena, &chosen), 1, node) : node;
}

/* What both loops, over all positions, do at each of them, under the conditions that they share. */
static const struct node *as_one(struct arena *arena, const struct node *a, const struct node *b)
{
    const struct node *first = a->child[0], *part[2];
    const struct node *next = node_substitute(arena, b->child[0], b->var, affine_var(arena, a->var));
    conditions around_first, around_next;

    if (!next)
        return NULL;
    around_first = conditions_around(arena, first, &part[0]);
    around_next = conditions_around(arena, next, &part[1]);
    part[0] = under(arena, &around_first, &around_next, false, part[0]);
    part[1] = under(arena, &around_next, &around_first, false, part[1]);
    return node_with_body(arena, a, under(arena, &around_first, &around_next, true, node_block(arena, part, 2)));
}

static bool same_conditions(const conditions *a, const conditions *b)
{
    for (int k = 0; k < a->n; k++)
        if (!has_condition(b, &a->at[k]))
            return false;
    return a->n == b->n;
}

/* Both, bound loops, under the one condition that both are under; NULL: they are under none, or another. */
static const struct node *under_one(struct arena *arena, const struct node *a, const struct node *b)
{
    const struct node *part[2];
    const conditions first = conditions_around(arena, a, &part[0]), next = conditions_around(arena, b, &part[1]);

    if (first.n == 0 || !same_conditions(&first, &next) || !is_bound(part[1]))
        return NULL;
    return node_if(arena, guard_of(arena, &first), 1, node_block(arena, part, 2));
}

static const struct node *bind_block(const struct facts *facts, const struct node *block)
{
    struct arena *arena = facts->lowering->arena;
    const struct program *program = facts->lowering->program;
    const struct node **child = ARENA_ARRAY(arena, block->n_child, const struct node *);
    int n = 0;

    for (int k = 0; k < block->n_child; k++) {
        const bool more = k > 0 && are_pieces(program, sunk(arena, block->child[k - 1]), sunk(arena, block->child[k]));
        const bool first = k + 1 < block->n_child &&
                           are_pieces(program, sunk(arena, block->child[k]), sunk(arena, block->child[k + 1]));
        const struct node *bound = more || first ? sunk(arena, block->child[k]) : block->child[k];
        bound = is_bound(bound) ? bind(facts, bound) : bound;
        if (bound && more)
            bound = as_one(arena, child[--n], bound);
        if (!bound)
            return NULL;
        const struct node *both = n > 0 && !more ? under_one(arena, child[n - 1], bound) : NULL;
        n -= both != NULL;
        child[n++] = both ? both : bound;
    }
    return node_block_like(arena, block, child, n);
}

static const struct node *walk(const struct facts *facts, const struct node *node, void *user)
{
    if (node->kind == NODE_BLOCK)
        node = bind_block(facts, node);
    if (node && is_bound(node) && node->axis == AXIS_NONE)
        node = bind(facts, node);
    return node ? descend(facts, node, walk, user) : NULL;
}

/* Is the bound loop's one iteration at the first position of its axis? */
static bool stands_still(struct lowering *lowering, const struct node *loop)
{
    const struct affine *first = param_value(lowering, loop_plan_first(lowering->arena, lowering->program, loop->info));
    const struct affine *length = affine_sub(lowering->arena, loop->upper, loop->lower);
    int64_t to_last;

    return first && length && affine_equal(loop->lower, first) && affine_is_constant(length, &to_last) &&
           to_last >= 0 && to_last < loop->step;
}

/* How many loops, of which node is the outermost, stand still, all those of a tuple; 0: they do not. */
static int still_loops(struct lowering *lowering, const struct node *node)
{
    const int n = node->info->tuple > 1 ? node->info->tuple : 1;

    if (node->info->tuple == -1)
        return 0;
    for (int k = 0; k < n; k++, node = node->child[0])
        if (!is_bound(node) || (k > 0 && node->info->tuple != -1) || !stands_still(lowering, node))
            return 0;
    return n;
}

/* The body of the outermost of the loops that stand still. */
static const struct node *without_first(struct arena *arena, const struct node *loop)
{
    const struct node *body = node_substitute(arena, loop->child[0], loop->var, loop->lower);

    return body && loop->comment && !body->comment ? node_with_comment(arena, body, loop->comment) : body;
}

/* tree without loops that stand still: what is outside of the loops on an axis runs at its first position. */
static const struct node *without_still(struct lowering *lowering, const struct node *tree)
{
    struct arena *arena = lowering->arena;
    const struct node **child;

    while (tree && is_bound(tree) && still_loops(lowering, tree) > 0)
        for (int n = still_loops(lowering, tree); tree && n > 0; n--)
            tree = without_first(arena, tree);
    if (!tree)
        return NULL;
    child = ARENA_ARRAY(arena, tree->n_child + 1, const struct node *);
    for (int k = 0; k < tree->n_child; k++)
        if (!(child[k] = without_still(lowering, tree->child[k])))
            return NULL;
    return node_with_children(arena, tree, child);
}

static bool shares_axis(const struct node *outer, const struct node *node)
{
    return is_bound(node) && node->info->tuple == 0 && node->info->plan->axis == outer->info->plan->axis;
}

/* A loop below node on the axis of outer; NULL: none. */
static const struct node *find_sharing(const struct node *outer, const struct node *node)
{
    const struct node *found = shares_axis(outer, node) ? node : NULL;

    for (int k = 0; k < node->n_child && !found; k++)
        found = find_sharing(outer, node->child[k]);
    return found;
}

/* Loops of one axis inside each other: what is at one position of both would run there only. Fused nests have such
 * loops where the fusing loop is not around them. */
static bool may_nest(struct lowering *lowering, const struct node *node)
{
    const struct node *inner = NULL;
    struct diag *diag;

    if (is_bound(node) && node->info->tuple == 0 && node->info->plan->axis != AXIS_THREAD)
        inner = find_sharing(node, node->child[0]);
    if (inner) {
        diag = diag_error(lowering->diags, "bind", inner->info->plan->bind_step->place,
                          "`%s` and `%s` inside of it are both bound to %s", node->info->name, inner->info->name,
                          axis_name(inner->info->plan->axis));
        diag_hint(lowering->diags, diag, "bind them to different axes");
        lowering->refused = true;
        return false;
    }
    for (int k = 0; k < node->n_child; k++)
        if (!may_nest(lowering, node->child[k]))
            return false;
    return true;
}

const struct node *lower_bind(struct lowering *lowering, const struct node *tree)
{
    struct facts facts;

    if (!gpu_by_language(lowering->program->target.language))
        return tree;
    facts = facts_of_program(lowering);
    tree = without_still(lowering, tree);
    return tree && may_nest(lowering, tree) ? walk(&facts, tree, NULL) : NULL;
}
