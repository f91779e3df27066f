/* Pass "literal": loops whose values the plan wants as literals (unrolled, vectorised) get constant bounds. Where such
 * a loop may end early, the part of the tree in which that is known stands twice,
 *     if (i + 6 <= M && j + 64 <= N)  { .. ii < 6 .. v < 16 .. }
 *     else                            { .. if (ii < M - i) .. }
 * once for full tiles and once with conditions inside, which become masks of vectors. In a function for one remainder
 * only the latter.
 */
#include "lower/bound.h"
#include "lower/descend.h"
#include "lower/facts.h"

#include "base/vec.h"
#include "plan/loop_plan.h"
#include "program/program.h"
#include "tree/visit.h"

typedef VEC(struct condition) conditions;

/* The ragged loops below a node. */
struct ragged {
    struct arena *arena;
    conditions full;               /* all hold: every one of them runs to its constant end */
    VEC(const struct var *) inner; /* variables bound below, literal loops' apart */
    VEC(const struct node *) literal; /* literal loops around the place, outermost first */
    bool failed;                   /* a loop has no constant end */
    const struct node *loop;       /* that loop */
};

static bool has_register(const struct node *node)
{
    bool found = false;

    for (int k = 0; node->kind == NODE_STATEMENT && k < node->statement->n_access; k++)
        found = found || node->statement->access[k].array->in_registers;
    for (int k = 0; k < node->n_child && !found; k++)
        found = has_register(node->child[k]);
    return found;
}

enum { MOST_LANES = 64 };

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
    return node->info->plan->unroll == UNROLL_FULL || node->info->plan->unroll == UNROLL_LITERAL ||
           has_register(node) || is_short(arena, node);
}

/* The last value that the loop takes when it runs to a constant end. */
static const struct affine *last_value(struct arena *arena, const struct node *loop)
{
    const int64_t first = loop->lower->constant, end = bound_constant(arena, loop->upper)->constant;

    return affine_constant(arena, first + (end - first) / loop->step * loop->step);
}

static bool is_ragged(const struct node *loop)
{
    return !affine_is_constant(loop->upper, NULL);
}

/* a with the variables of literal loops around where they make it least. */
static const struct affine *least(const struct ragged *ragged, const struct affine *a)
{
    for (int k = ragged->literal.n - 1; k >= 0 && a; k--) {
        const struct node *loop = ragged->literal.at[k];
        const bool falls = affine_factor(a, loop->var) < 0;
        if (affine_uses(a, loop->var))
            a = affine_substitute(ragged->arena, a, loop->var,
                                  falls ? last_value(ragged->arena, loop) : loop->lower);
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

/* The conditions under which a literal loop runs to its constant end. */
static void add_loop(struct ragged *ragged, const struct node *loop)
{
    const struct affine *const *arg;
    enum atom_kind kind;
    const int n = bound_args(ragged->arena, loop->upper, &arg, &kind);
    const struct affine *end = bound_constant(ragged->arena, loop->upper);

    if (!end || loop->step < 0 || !affine_is_constant(loop->lower, NULL)) {
        ragged->failed = true;
        ragged->loop = ragged->loop ? ragged->loop : loop;
        return;
    }
    for (int k = 0; k < n; k++) {
        if (!affine_is_constant(arg[k], NULL))
            add_condition(ragged, least(ragged, affine_sub(ragged->arena, arg[k], last_value(ragged->arena, loop))));
    }
}

/* What is inside of functions is done already. */
static void collect(struct ragged *ragged, const struct node *node)
{
    if (node->kind == NODE_CALL)
        return;
    const bool literal = is_literal(ragged->arena, node);

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

/* A loop of partial tiles with what its end is in them. */
static const struct node *with_own_end(const struct facts *partial, const struct node *loop)
{
    return node_with_bounds(partial->lowering->arena, loop, loop->lower, facts_refine_bound(partial, loop->upper));
}

/* Literal loops to their constant ends; in partial tiles (NULL: full ones) with the other bounds as conditions
 * inside. */
static const struct node *complete(struct arena *arena, const struct node *node, const struct facts *partial)
{
    const struct node **child;
    const struct affine *const *arg;
    enum atom_kind kind;
    conditions tested = {0};

    if (node->n_child == 0 || node->kind == NODE_CALL)
        return node;
    child = ARENA_ARRAY(arena, node->n_child, const struct node *);
    for (int k = 0; k < node->n_child; k++)
        child[k] = complete(arena, node->child[k], partial);
    node = node_with_children(arena, node, child);
    if (!node || !is_literal(arena, node) || !is_ragged(node))
        return node;
    if (partial && stays_loop(node))
        return with_own_end(partial, node);
    const struct affine *end = bound_constant(arena, node->upper), *var = affine_var(arena, node->var);
    const int n = bound_args(arena, node->upper, &arg, &kind);
    for (int k = 0; partial && k < n; k++) {
        const struct affine *left = affine_sub(arena, arg[k], var);
        if (!affine_is_constant(arg[k], NULL) && !is_masked(arena, node->child[0], left))
            VEC_PUSH(arena, &tested, ((struct condition){left, false}));
    }
    struct guard *guard = ARENA_NEW(arena, struct guard);
    *guard = (struct guard){tested.at, tested.n};
    const struct node *body = tested.n > 0 ? node_if(arena, guard, 1, node->child[0]) : node->child[0];
    return node_with_body(arena, node_with_bounds(arena, node, node->lower, end), body);
}

/* condition >= 0 turned round. */
static struct condition opposite(struct arena *arena, struct condition condition)
{
    return (struct condition){affine_add_constant(arena, affine_scale(arena, condition.affine, -1), -1), false};
}

/* node for full tiles, and for others. */
static const struct node *both(const struct facts *facts, const struct ragged *ragged, const struct node *node)
{
    struct arena *arena = facts->lowering->arena;
    struct guard *full = ARENA_NEW(arena, struct guard);
    struct guard *partial = ARENA_ARRAY(arena, ragged->full.n, struct guard);
    const struct node *part[2];
    struct facts inside = *facts;
    conditions open = {0};

    for (int k = 0; k < ragged->full.n; k++)
        if (!facts_imply(facts, ragged->full.at[k].affine))
            VEC_PUSH(arena, &open, ragged->full.at[k]);
    part[0] = complete(arena, node, NULL);
    if (open.n == 0)
        return part[0];
    *full = (struct guard){open.at, open.n};
    for (int k = 0; k < open.n; k++) {
        struct condition *one = ARENA_NEW(arena, struct condition);
        *one = opposite(arena, open.at[k]);
        partial[k] = (struct guard){one, 1};
    }
    facts_assume_guards(&inside, partial, open.n);
    part[1] = complete(arena, node, &inside);
    if (part[1])
        part[1] = node_with_comment(arena, part[1], "partial tile");
    part[0] = node_if(arena, full, 1, part[0]);
    part[1] = node_if(arena, partial, open.n, part[1]);
    return part[0] && part[1] ? node_block(arena, part, 2) : NULL;
}

/* Is there a part of a block that is the same in full tiles and in others? It then stands once. */
static bool has_whole_child(struct arena *arena, const struct node *block)
{
    bool found = false;

    for (int k = 0; k < block->n_child && block->kind == NODE_BLOCK && !found; k++) {
        struct ragged ragged = {.arena = arena};
        collect(&ragged, block->child[k]);
        found = ragged.full.n == 0;
    }
    return found;
}

static void refuse(struct lowering *lowering, const struct node *loop)
{
    const struct loop_plan *plan = loop->info->plan;
    const struct step *step = plan->vector ? plan->vector_step : plan->unroll_step;
    struct diag *diag = diag_error(lowering->diags, step->primitive->name, step->place,
                                   "`%s` has no constant number of iterations to %s", loop->info->name,
                                   plan->vector ? "vectorize" : "unroll");

    diag_hint(lowering->diags, diag, "split it by a constant, and %s the inner part",
              plan->vector ? "vectorize" : "unroll");
    lowering->refused = true;
}

static const struct node *walk(const struct facts *facts, const struct node *node)
{
    struct arena *arena = facts->lowering->arena;
    struct ragged ragged = {.arena = arena};

    collect(&ragged, node);
    if (ragged.failed) {
        refuse(facts->lowering, ragged.loop);
        return NULL;
    }
    if (ragged.full.n == 0)
        return node;
    if (is_known(&ragged) && !has_whole_child(arena, node))
        return both(facts, &ragged, node);
    node = descend(facts, node, walk);
    return node && node->kind == NODE_BLOCK && !node->comment ? node_block(arena, node->child, node->n_child) : node;
}

static bool has_call(const struct node *node)
{
    bool found = node->kind == NODE_CALL;

    for (int k = 0; k < node->n_child && !found; k++)
        found = has_call(node->child[k]);
    return found;
}

static const struct node *complete_call(const struct facts *facts, const struct node *call)
{
    struct arena *arena = facts->lowering->arena;
    struct ragged ragged = {.arena = arena};

    collect(&ragged, call->child[0]);
    if (!ragged.failed)
        return node_with_body(arena, call, complete(arena, call->child[0], facts));
    refuse(facts->lowering, ragged.loop);
    return NULL;
}

/* The bodies of functions, for partial tiles. */
static const struct node *complete_calls(const struct facts *facts, const struct node *node)
{
    struct arena *arena = facts->lowering->arena;
    const struct node **child;

    if (!has_call(node))
        return node;
    child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);
    for (int k = 0; k < node->n_child; k++) {
        struct facts inside = *facts;
        facts_enter(&inside, node, k);
        child[k] = complete_calls(&inside, node->child[k]);
        if (!child[k])
            return NULL;
    }
    node = node_with_children(arena, node, child);
    return node->kind == NODE_CALL ? complete_call(facts, node) : node;
}

const struct node *lower_literal(struct lowering *lowering, const struct node *tree)
{
    struct facts facts = facts_of_program(lowering);

    tree = complete_calls(&facts, tree);
    return tree ? walk(&facts, tree) : NULL;
}
