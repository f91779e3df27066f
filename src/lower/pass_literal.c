/* Pass "literal": loops whose values the plan wants as literals (unrolled, vectorised) get constant bounds. Where such
 * a loop may end early, or start late, the part of the tree in which that is known stands twice,
 *     if (i + 6 <= M && j + 64 <= N)  { .. ii < 6 .. v < 16 .. }
 *     else                            { .. if (ii < M - i) .. }
 * once for full tiles and once with conditions inside, which become masks of vectors. A function for one remainder is
 * for a partial tile: what ends early there has conditions inside only. Beside such loops, what all threads of a block
 * copy again in each iteration of a loop around is such a part, too: in full tiles it needs no tests.
 */
#include "lower/bound.h"
#include "lower/descend.h"
#include "lower/facts.h"
#include "lower/refine.h"
#include "lower/refine_bound.h"

#include "base/vec.h"
#include "plan/cooperate.h"
#include "plan/loop_plan.h"
#include "program/program.h"
#include "tree/visit.h"

typedef VEC(struct condition) conditions;

/* A function for one remainder. */
struct remainder {
    VEC(const struct var *) inner; /* variables bound in it, literal loops' apart */
};

/* Ends that literal loops around give a literal loop, 2 * i of j <= 2 * i: it lacks iterations in full tiles, too. */
typedef VEC(const struct affine *) limits_inside;

/* What is around a node. */
struct around {
    const struct remainder *remainder; /* NULL: none */
    bool repeats;                      /* a loop of which each thread runs all iterations */
};

/* The ragged loops below a node. */
struct ragged {
    struct arena *arena;
    struct around around;
    conditions full;                  /* all hold: every one of them runs to its constant end */
    limits_inside inside;             /* but for these */
    VEC(const struct var *) inner;    /* variables bound below, literal loops' apart */
    VEC(const struct node *) literal; /* literal loops around the place, outermost first */
    bool failed;                      /* a loop has no constant end */
    const struct node *loop;          /* that loop */
};

/* Is it in registers that subscripts tell apart? These have to be constants. */
static bool is_in_registers(const struct array *array)
{
    return array->in_registers && array->n_dim > array->n_iteration;
}

static bool has_register(const struct node *node)
{
    bool found = false;

    for (int k = 0; node->kind == NODE_STATEMENT && k < node->statement->n_access; k++)
        found = found || is_in_registers(node->statement->access[k].array);
    for (int k = 0; k < node->n_child && !found; k++)
        found = has_register(node->child[k]);
    return found;
}

enum { MOST_LANES = 64 };

/* A bound of a literal loop that is no constant: the loop's values are at most, or, of a lower one, at least that. */
struct limit {
    const struct affine *at;
    bool lower;
};

typedef VEC(struct limit) limits;

/* Are the loop's iterations the lanes of one vector, or of a few? Others are run in vectors one after the other. */
static bool is_short(struct arena *arena, const struct node *loop)
{
    const struct affine *end = bound_constant(arena, loop->upper);
    const int most = loop->info->plan->lanes ? loop->info->plan->lanes : MOST_LANES;

    return end && affine_is_constant(loop->lower, NULL) && end->constant - loop->lower->constant < most;
}

static bool is_literal(struct arena *arena, const struct node *node)
{
    if (node->kind != NODE_LOOP || !node->info || !loop_plan_is_literal(node->info))
        return false;
    if (node->info->plan->unroll == UNROLL_FULL && node->rest)
        return has_register(node);
    if (node->info->plan->tensor && node->rest)
        return false; /* part of a tile */
    return node->info->plan->unroll == UNROLL_FULL || node->info->plan->unroll == UNROLL_LITERAL ||
           has_register(node) || is_short(arena, node);
}

/* Does a loop go on copying by this one, which all threads of a block share? */
static bool copies_again(const struct around *around, const struct node *node)
{
    return around->repeats && node->kind == NODE_LOOP && node->info && is_cooperative(node->info);
}

/* The value that a literal loop starts with when it starts at a constant: 0 of max(0, 1 - h). NULL: there is none, or
 * what is left out in front may end inside of a vector or a step. */
static const struct affine *first_value(struct arena *arena, const struct node *loop)
{
    const struct affine *const *arg;
    enum atom_kind kind;

    if (affine_is_constant(loop->lower, NULL))
        return loop->lower;
    bound_args(arena, loop->lower, &arg, &kind);
    return kind == ATOM_MAX && loop->step == 1 && !loop->info->plan->vector ? bound_constant(arena, loop->lower) : NULL;
}

/* The last value that the loop takes when it runs from a constant start to a constant end. */
static const struct affine *last_value(struct arena *arena, const struct node *loop)
{
    const int64_t first = first_value(arena, loop)->constant, end = bound_constant(arena, loop->upper)->constant;

    return affine_constant(arena, first + (end - first) / loop->step * loop->step);
}

static bool is_ragged(const struct node *loop)
{
    return !affine_is_constant(loop->upper, NULL) ||
           (!affine_is_constant(loop->lower, NULL) && !loop->info->plan->vector);
}

static void add_limits(struct arena *arena, limits *list, const struct affine *bound, bool lower)
{
    const struct affine *const *arg;
    enum atom_kind kind;
    const int n = bound_args(arena, bound, &arg, &kind);

    for (int k = 0; k < n; k++)
        if (!affine_is_constant(arg[k], NULL))
            VEC_PUSH(arena, list, ((struct limit){arg[k], lower}));
}

static limits limits_of(struct arena *arena, const struct node *loop)
{
    limits list = {0};

    add_limits(arena, &list, loop->lower, true);
    add_limits(arena, &list, loop->upper, false);
    return list;
}

/* What is not negative where value keeps the limit. */
static const struct affine *within(struct arena *arena, const struct limit *limit, const struct affine *value)
{
    return limit->lower ? affine_sub(arena, value, limit->at) : affine_sub(arena, limit->at, value);
}

/* a with the variables of literal loops around where they make it least. */
static const struct affine *least(const struct ragged *ragged, const struct affine *a)
{
    for (int k = ragged->literal.n - 1; k >= 0 && a; k--) {
        const struct node *loop = ragged->literal.at[k];
        const bool falls = affine_factor(a, loop->var) < 0;
        if (affine_uses(a, loop->var))
            a = affine_substitute(ragged->arena, a, loop->var,
                                  falls ? last_value(ragged->arena, loop) : first_value(ragged->arena, loop));
    }
    return a;
}

/* Of two that are a constant apart the stronger one stays. */
static void add_condition(struct ragged *ragged, const struct affine *affine)
{
    for (int k = 0; k < ragged->full.n; k++) {
        const struct affine *difference = affine_sub(ragged->arena, affine, ragged->full.at[k].affine);
        int64_t distance;
        if (!difference || !affine_is_constant(difference, &distance))
            continue;
        if (distance < 0)
            ragged->full.at[k].affine = affine;
        return;
    }
    VEC_PUSH(ragged->arena, &ragged->full, ((struct condition){affine, false}));
}

/* Is a, the end of a loop in a function for one remainder, the same throughout the function? */
static bool is_outside(const struct remainder *remainder, const struct affine *a)
{
    if (!remainder)
        return false;
    for (int k = 0; k < remainder->inner.n; k++)
        if (affine_uses(a, remainder->inner.at[k]))
            return false;
    return true;
}

/* What is not negative where the loop's first or last value keeps the limit. */
static const struct affine *kept(const struct ragged *ragged, const struct node *loop, const struct limit *limit)
{
    struct arena *arena = ragged->arena;

    return least(ragged, within(arena, limit, limit->lower ? first_value(arena, loop) : last_value(arena, loop)));
}

/* Is it an end that literal loops around give? */
static bool is_inside(const struct ragged *ragged, const struct node *loop, const struct limit *limit)
{
    const struct affine *value = kept(ragged, loop, limit);

    return value && affine_is_constant(value, NULL) && value->constant < 0;
}

static bool uses_literal(const struct ragged *ragged, const struct affine *a)
{
    for (int k = 0; k < ragged->literal.n; k++)
        if (affine_uses(a, ragged->literal.at[k]->var))
            return true;
    return false;
}

/* When the loop keeps the limit: where it is not before an end that literal loops give, wherever that is, or for all of
 * the loop's values. */
static const struct affine *when_kept(const struct ragged *ragged, const struct node *loop, const limits *list,
                                      const struct limit *limit)
{
    for (int k = 0; k < list->n; k++) {
        const struct limit *other = &list->at[k];
        const struct affine *before;
        if (other->lower != limit->lower || !is_inside(ragged, loop, other))
            continue;
        before = within(ragged->arena, limit, other->at);
        if (before && !uses_literal(ragged, before))
            return before;
    }
    return kept(ragged, loop, limit);
}

/* The conditions under which a literal loop has all of its iterations. */
static void add_loop(struct ragged *ragged, const struct node *loop)
{
    struct arena *arena = ragged->arena;
    const limits list = limits_of(arena, loop);

    if (!bound_constant(arena, loop->upper) || loop->step < 0 || !first_value(arena, loop)) {
        ragged->failed = true;
        ragged->loop = ragged->loop ? ragged->loop : loop;
        return;
    }
    for (int k = 0; k < list.n; k++) {
        const struct limit *limit = &list.at[k];
        if (is_inside(ragged, loop, limit))
            VEC_PUSH(arena, &ragged->inside, limit->at);
        else if (!is_outside(ragged->around.remainder, limit->at))
            add_condition(ragged, when_kept(ragged, loop, &list, limit));
    }
}

/* Is it a loop of copies whose iterations can be all there? */
static bool has_full_tiles(const struct ragged *ragged, const struct node *node)
{
    return copies_again(&ragged->around, node) && node->step > 0 && bound_constant(ragged->arena, node->upper) &&
           first_value(ragged->arena, node);
}

/* What is inside of functions is done already. */
static void collect(struct ragged *ragged, const struct node *node)
{
    if (node->kind == NODE_CALL)
        return;
    const bool literal = is_literal(ragged->arena, node) || has_full_tiles(ragged, node);

    if (node->var && !literal)
        VEC_PUSH(ragged->arena, &ragged->inner, node->var);
    if (literal && is_ragged(node))
        add_loop(ragged, node);
    const bool ends = literal && !ragged->failed;
    if (ends)
        VEC_PUSH(ragged->arena, &ragged->literal, node);
    for (int k = 0; k < node->n_child; k++)
        collect(ragged, node->child[k]);
    ragged->literal.n -= ends;
}

/* Are all conditions known outside of node? */
static bool is_known(const struct ragged *ragged)
{
    for (int k = 0; k < ragged->full.n; k++)
        for (int v = 0; v < ragged->inner.n; v++)
            if (affine_uses(ragged->full.at[k].affine, ragged->inner.at[v]))
                return false;
    return true;
}

/* Does body, vector loops with a mask, do nothing where the condition does not hold? */
static bool is_masked(struct arena *arena, const struct node *body, const struct affine *condition)
{
    const struct node *inside = body->n_child > 0 ? body->child[0] : NULL;

    if (!is_literal(arena, body) || !body->info->plan->vector || inside->kind != NODE_IF || inside->n_alternative != 1)
        return false;
    for (int k = 0; k < inside->alternative[0].n; k++)
        if (affine_equal(affine_substitute(arena, inside->alternative[0].condition[k].affine, body->var, body->lower),
                         condition))
            return true;
    return false;
}

/* Of partial tiles: a loop that is written out where it is whole, and needs not be; or one whose rest is to run without
 * vectors. */
static bool stays_loop(const struct node *loop)
{
    const struct loop_plan *plan = loop->info->plan;

    return (plan->vector ? plan->tail == TAIL_PEEL : plan->unroll == UNROLL_FULL) && !has_register(loop);
}

/* How the loops of some tiles get their constant ends. */
struct completion {
    bool partial;                      /* the tiles are not full */
    const struct remainder *remainder; /* around them; NULL: none */
    const limits_inside *inside;       /* see struct ragged */
};

/* May a loop lack iterations for this limit? */
static bool may_lack(const struct completion *completion, const struct limit *limit)
{
    for (int k = 0; k < completion->inside->n; k++)
        if (affine_equal(completion->inside->at[k], limit->at))
            return true;
    return completion->partial || is_outside(completion->remainder, limit->at);
}

static bool may_lack_any(struct arena *arena, const struct completion *completion, const struct node *loop)
{
    const limits list = limits_of(arena, loop);

    for (int k = 0; k < list.n; k++)
        if (may_lack(completion, &list.at[k]))
            return true;
    return false;
}

/* A literal loop from its constant start to its constant end, with those of its limits that it may not keep as
 * conditions inside. */
static const struct node *complete_loop(struct arena *arena, const struct node *loop,
                                        const struct completion *completion)
{
    const struct affine *end = bound_constant(arena, loop->upper), *var = affine_var(arena, loop->var);
    const limits list = limits_of(arena, loop);
    struct guard *guard = ARENA_NEW(arena, struct guard);
    const struct node *body;
    conditions tested = {0};

    for (int k = 0; k < list.n; k++) {
        const struct affine *left = within(arena, &list.at[k], var);
        if (may_lack(completion, &list.at[k]) && !is_masked(arena, loop->child[0], left))
            VEC_PUSH(arena, &tested, ((struct condition){left, false}));
    }
    *guard = (struct guard){tested.at, tested.n};
    body = tested.n > 0 ? node_if(arena, guard, 1, loop->child[0]) : loop->child[0];
    return node_with_body(arena, node_with_bounds(arena, loop, first_value(arena, loop), end), body);
}

/* node, where facts holds, with the literal loops in it completed. */
static const struct node *complete(const struct facts *facts, const struct node *node,
                                   const struct completion *completion)
{
    struct arena *arena = facts->lowering->arena;
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);

    if (node->n_child == 0 || node->kind == NODE_CALL)
        return node;
    for (int k = 0; k < node->n_child; k++) {
        struct facts inside = *facts;
        facts_enter(&inside, node, k);
        child[k] = complete(&inside, node->child[k], completion);
    }
    node = node_with_children(arena, node, child);
    if (!node || !is_literal(arena, node) || !is_ragged(node))
        return node;
    if (stays_loop(node) && may_lack_any(arena, completion, node))
        return node_with_bounds(arena, node, node->lower, refine_bound(facts, node->upper));
    return complete_loop(arena, node, completion);
}

/* Those of the conditions that neither facts nor the others of them say. */
static conditions open_conditions(const struct facts *facts, const conditions *all)
{
    struct arena *arena = facts->lowering->arena;
    conditions open = {0};

    for (int k = all->n - 1; k >= 0; k--) {
        struct facts others = *facts;
        for (int c = 0; c < k; c++)
            facts_assume_condition(&others, &all->at[c]);
        for (int c = 0; c < open.n; c++)
            facts_assume_condition(&others, &open.at[c]);
        if (!facts_imply_condition(&others, &all->at[k]))
            VEC_PUSH(arena, &open, all->at[k]);
    }
    for (int k = 0; k < open.n / 2; k++) {
        const struct condition last = open.at[open.n - 1 - k];
        open.at[open.n - 1 - k] = open.at[k];
        open.at[k] = last;
    }
    return open;
}

static bool has_call(const struct node *node)
{
    bool found = node->kind == NODE_CALL;

    for (int k = 0; k < node->n_child && !found; k++)
        found = has_call(node->child[k]);
    return found;
}

/* node, where full holds, without what that says; what is in functions has other callers, too. */
static const struct node *in_full_tiles(const struct facts *facts, const struct guard *full, const struct node *node)
{
    struct facts inside = *facts;

    if (!node || has_call(node))
        return node;
    facts_assume_guards(&inside, full, 1);
    return refine_inside(&inside, node);
}

/* Does node do nothing where facts hold? */
static bool is_idle(const struct facts *facts, const struct node *node)
{
    const struct node *left = refine_inside(facts, node);

    return left && left->kind == NODE_BLOCK && left->n_child == 0;
}

/* node for full tiles, and for others. */
static const struct node *both(const struct facts *facts, const struct ragged *ragged, const struct node *node)
{
    struct arena *arena = facts->lowering->arena;
    struct guard *full = ARENA_NEW(arena, struct guard);
    const struct guard *partial;
    const struct node *part[2];
    struct facts inside = *facts;
    struct completion completion = {.remainder = ragged->around.remainder, .inside = &ragged->inside};
    const conditions open = open_conditions(facts, &ragged->full);
    const bool copies = copies_again(&ragged->around, node);
    const char *comment = copies ? node->comment : NULL;

    node = copies ? node_with_comment(arena, node, NULL) : node;
    part[0] = complete(facts, node, &completion);
    if (open.n == 0)
        return comment ? node_with_comment(arena, part[0], comment) : part[0];
    *full = (struct guard){open.at, open.n};
    part[0] = ragged->around.remainder ? part[0] : in_full_tiles(facts, full, part[0]);
    partial = guard_opposites(arena, full);
    facts_assume_guards(&inside, partial, open.n);
    if (copies && is_idle(&inside, node))
        return node_with_comment(arena, node, comment);
    completion.partial = true;
    part[1] = complete(&inside, node, &completion);
    if (part[1])
        part[1] = node_with_comment(arena, part[1], "partial tile");
    part[0] = node_if(arena, full, 1, part[0]);
    part[1] = node_if(arena, partial, open.n, part[1]);
    return part[0] && part[1] ? node_with_comment(arena, node_block(arena, part, 2), comment) : NULL;
}

/* Is there a part of a block that is the same in full tiles and in others? It then stands once. */
static bool has_whole_child(struct arena *arena, const struct node *block)
{
    bool found = false;

    for (int k = 0; k < block->n_child && block->kind == NODE_BLOCK && !found; k++) {
        struct ragged ragged = {.arena = arena};
        collect(&ragged, block->child[k]);
        found = ragged.full.n == 0 && ragged.inside.n == 0;
    }
    return found;
}

/* The loop of a copy by way of registers, which nobody asked to be unrolled. */
static void refuse_copy(struct lowering *lowering, const struct loop_info *copy)
{
    const struct step *step = copy->step;
    struct diag *diag =
        diag_error(lowering->diags, step->primitive->name, step_place(step, "through"),
                   "`%s`, which copies by way of registers, has no constant number of iterations", copy->name);

    diag_hint(lowering->diags, diag, "registers have no subscripts: without \"through\" it needs none");
    lowering->refused = true;
}

static void refuse(struct lowering *lowering, const struct node *loop)
{
    const struct loop_plan *plan = loop->info->plan;
    const struct step *step = plan->vector ? plan->vector_step : plan->unroll_step;
    struct diag *diag;

    if (!step) {
        refuse_copy(lowering, loop->info);
        return;
    }
    diag = diag_error(lowering->diags, step->primitive->name, step->place,
                      "`%s` has no constant number of iterations to %s", loop->info->name,
                      plan->vector ? "vectorize" : "unroll");
    diag_hint(lowering->diags, diag, "split it by a constant, and %s the inner part",
              plan->vector ? "vectorize" : "unroll");
    lowering->refused = true;
}

/* The same inside of node. */
static struct around inside_of(const struct around *around, const struct node *node)
{
    const struct loop_plan *plan = node->kind == NODE_LOOP && node->info ? node->info->plan : NULL;
    struct around inside = *around;

    if (node->kind == NODE_LOOP && (!plan || plan->axis == AXIS_NONE))
        inside.repeats = true;
    else if (plan && axis_is_block(plan->axis))
        inside.repeats = false;
    return inside;
}

static const struct node *walk(const struct facts *facts, const struct node *node, void *user)
{
    struct arena *arena = facts->lowering->arena;
    const struct around *around = user;
    struct around inside = inside_of(around, node);
    struct ragged ragged = {.arena = arena, .around = *around};
    const struct completion completion = {.remainder = around->remainder, .inside = &ragged.inside};

    collect(&ragged, node);
    if (ragged.failed) {
        refuse(facts->lowering, ragged.loop);
        return NULL;
    }
    if (ragged.full.n == 0 && ragged.inside.n == 0)
        return around->remainder ? complete(facts, node, &completion) : node;
    if (is_known(&ragged) && !has_whole_child(arena, node))
        return both(facts, &ragged, node);
    node = descend(facts, node, walk, &inside);
    return node && node->kind == NODE_BLOCK && !node->comment ? node_block(arena, node->child, node->n_child) : node;
}

static const struct node *walk_call(const struct facts *facts, const struct node *call)
{
    struct arena *arena = facts->lowering->arena;
    struct ragged ragged = {.arena = arena};
    struct remainder remainder = {{0}};
    const struct node *body;

    collect(&ragged, call->child[0]);
    for (int k = 0; k < ragged.inner.n; k++)
        VEC_PUSH(arena, &remainder.inner, ragged.inner.at[k]);
    body = walk(facts, call->child[0], &(struct around){&remainder, false});
    return body ? node_with_body(arena, call, body) : NULL;
}

/* The bodies of functions. */
static const struct node *walk_calls(const struct facts *facts, const struct node *node, void *user)
{
    if (!has_call(node))
        return node;
    node = descend(facts, node, walk_calls, user);
    return node && node->kind == NODE_CALL ? walk_call(facts, node) : node;
}

const struct node *lower_literal(struct lowering *lowering, const struct node *tree)
{
    struct facts facts = facts_of_program(lowering);

    tree = walk_calls(&facts, tree, NULL);
    return tree ? walk(&facts, tree, &(struct around){NULL, false}) : NULL;
}
