/* Pass "literal": loops whose values the plan wants as literals (unrolled, vectorised) get constant bounds. Where such
 * a loop may end early, or start late, the part of the tree in which that is known stands twice,
 *     if (i + 6 <= M && j + 64 <= N)  { .. ii < 6 .. v < 16 .. }
 *     else                            { .. if (ii < M - i) .. }
 * once for full tiles and once with conditions inside, which become masks of vectors. A function for one remainder is
 * for a partial tile: what ends early there has conditions inside only. Beside such loops, what all threads of a block
 * copy again, several elements each, in each iteration of a loop around is such a part, too: in full tiles it needs no
 * tests.
 */
#include "lower/facts/bound.h"
#include "lower/facts/descend.h"
#include "lower/facts/facts.h"
#include "lower/tiles/ragged.h"
#include "lower/tiles/refine.h"
#include "lower/tiles/refine_bound.h"
#include "lower/tiles/unroll.h"

#include "base/vec.h"
#include "caps/simd.h"
#include "plan/loop_plan.h"
#include "plan/storage/tails.h"
#include "program/program.h"
#include "tree/visit.h"

/* Does body, vector loops with a mask, do nothing where the condition does not hold? */
static bool is_masked(struct arena *arena, const struct node *body, const struct affine *condition)
{
    const struct node *inside = body->n_child > 0 ? body->child[0] : NULL;

    if (!ragged_is_literal(arena, body) || !body->info->plan->vector || inside->kind != NODE_IF ||
        inside->n_alternative != 1)
        return false;
    for (int k = 0; k < inside->alternative[0].n; k++)
        if (affine_equal(affine_substitute(arena, inside->alternative[0].condition[k].affine, body->var, body->lower),
                         condition))
            return true;
    return false;
}

/* Does what runs in vectors below node use a type of which the target cannot load or store a part of the lanes? (Sums
 * of products in one instruction are full.) */
static bool lacks_masks(const struct simd *simd, const struct node *node, int lanes)
{
    bool lacks = false;

    if (node->kind == NODE_LOOP && node->info && node->info->plan && node->info->plan->dot_step)
        return false;
    for (int k = 0; node->kind == NODE_STATEMENT && k < node->statement->n_access; k++)
        lacks = lacks || !tails_have_masks(simd, node->statement->access[k].array->type, lanes);
    for (int k = 0; k < node->n_child && !lacks; k++)
        lacks = lacks_masks(simd, node->child[k], lanes);
    return lacks;
}

/* Of partial tiles: a loop that is written out where it is whole, and needs not be; or one whose rest is to run without
 * vectors, or has to. */
static bool stays_loop(const struct program *program, const struct node *loop)
{
    const struct loop_plan *plan = loop->info->plan;
    const struct simd *simd = simd_by_name(program->target.simd);

    if (ragged_has_register(loop))
        return false;
    if (!plan->vector)
        return plan->unroll == UNROLL_FULL;
    return plan->tail == TAIL_PEEL ||
           (simd && plan->tail == TAIL_AUTO && loop->info->rest != TAIL_MASK && lacks_masks(simd, loop, plan->lanes));
}

/* How the loops of some tiles get their constant ends. */
struct completion {
    bool partial;                             /* the tiles are not full */
    const struct ragged_remainder *remainder; /* around them; NULL: none */
    const ragged_ends *inside;                /* see struct ragged */
};

/* May a loop lack iterations for this limit? */
static bool may_lack(const struct completion *completion, const struct ragged_limit *limit)
{
    for (int k = 0; k < completion->inside->n; k++)
        if (affine_equal(completion->inside->at[k], limit->at))
            return true;
    return completion->partial || ragged_is_outside(completion->remainder, limit->at);
}

static bool may_lack_any(struct arena *arena, const struct completion *completion, const struct node *loop)
{
    const ragged_limits list = ragged_limits_of(arena, loop);

    for (int k = 0; k < list.n; k++)
        if (may_lack(completion, &list.at[k]))
            return true;
    return false;
}

/* A literal loop from its constant start to its constant end, with those of its ragged_limits that it may not keep as
 * ragged_conditions inside. */
static const struct node *complete_loop(struct arena *arena, const struct node *loop,
                                        const struct completion *completion)
{
    const struct affine *end = ragged_end(arena, loop), *var = affine_var(arena, loop->var);
    const ragged_limits list = ragged_limits_of(arena, loop);
    struct guard *guard = ARENA_NEW(arena, struct guard);
    const struct node *body;
    ragged_conditions tested = {0};

    for (int k = 0; k < list.n; k++) {
        const struct affine *left = ragged_within(arena, &list.at[k], var);
        if (may_lack(completion, &list.at[k]) && !is_masked(arena, loop->child[0], left))
            VEC_PUSH(arena, &tested, ((struct condition){left, false}));
    }
    *guard = (struct guard){tested.at, tested.n};
    body = tested.n > 0 ? node_if(arena, guard, 1, loop->child[0]) : loop->child[0];
    return node_with_body(arena, node_with_bounds(arena, loop, ragged_first_value(arena, loop), end), body);
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

/* Does it start at a value of loops around it, as in a triangle, `i = k + 1`? */
static bool starts_at_loop(const struct node *loop)
{
    bool loops = loop->lower->n_term > 0;

    for (int k = 0; k < loop->lower->n_term; k++)
        loops =
            loops && loop->lower->term[k].atom->kind == ATOM_VAR && loop->lower->term[k].atom->var->kind == VAR_LOOP;
    return loops;
}

/* The buffer whose copy the loop is a part of; NULL: of none. */
static const char *copied_buffer(const struct node *loop)
{
    const struct node *inside = loop;

    while (inside->n_child > 0)
        inside = inside->child[0];
    return inside->kind == NODE_STATEMENT && inside->statement->is_copy ? inside->statement->copies : NULL;
}

static void refuse(struct lowering *lowering, const struct node *loop)
{
    const struct loop_plan *plan = loop->info->plan;
    const struct step *step = plan->vector ? plan->vector_step : plan->unroll_step;
    struct diag *diag;

    if (lowering->refused)
        return;
    if (!step) {
        refuse_copy(lowering, loop->info);
        return;
    }
    diag = diag_error(lowering->diags, step->primitive->name, step->place,
                      "`%s` has no constant number of iterations to %s", loop->info->name,
                      plan->vector ? "vectorize" : "unroll");
    if (copied_buffer(loop))
        diag_hint(
            lowering->diags, diag,
            "it is a loop of the copies of `%s`: a `cache` further in holds less, and one with \"only\": \"written\" "
            "leaves out what is read elsewhere in the array",
            copied_buffer(loop));
    else if (starts_at_loop(loop))
        diag_hint(
            lowering->diags, diag,
            "where its bounds depend on a loop around, `unroll` that one, too, or `cut` it into single iterations");
    else
        diag_hint(lowering->diags, diag, "split it by a constant, and %s the inner part",
                  plan->vector ? "vectorize" : "unroll");
    lowering->refused = true;
}

/* Is no value of a literal loop beyond its end? One that goes through what is left of a tile may start anywhere in it,
 * or, `i = max(3, 4 * (N / 4))`, past the tile that its constant start would be of. */
static bool has_end(const struct facts *facts, const struct node *loop)
{
    struct arena *arena = facts->lowering->arena;
    struct facts inside = *facts;

    if (bound_constant(arena, loop->upper, ATOM_MIN))
        return true;
    facts_enter_loop(&inside, loop);
    return facts_imply(&inside, affine_sub(arena, ragged_end(arena, loop), affine_var(arena, loop->var)));
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
    if (!node || !ragged_is_literal(arena, node) || !ragged_is_ragged(node))
        return node;
    if (stays_loop(facts->lowering->program, node) && may_lack_any(arena, completion, node))
        return node_with_bounds(arena, node, node->lower, refine_bound(facts, node->upper));
    if (!has_end(facts, node)) {
        refuse(facts->lowering, node);
        return NULL;
    }
    return complete_loop(arena, node, completion);
}

/* Those of the ragged_conditions that neither facts nor the others of them say. */
static ragged_conditions open_conditions(const struct facts *facts, const ragged_conditions *all)
{
    struct arena *arena = facts->lowering->arena;
    ragged_conditions open = {0};

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

/* Do the conditions never hold together? */
static bool are_impossible(const struct facts *facts, const ragged_conditions *all)
{
    struct facts others = *facts;
    bool possible = true;

    for (int k = 0; k < all->n && possible; k++) {
        possible = facts_allow_condition(&others, &all->at[k]);
        facts_assume_condition(&others, &all->at[k]);
    }
    return !possible;
}

static const struct node *commented(struct arena *arena, const struct node *node, const char *comment)
{
    return node && comment ? node_with_comment(arena, node, comment) : node;
}

/* When the first ragged loop below node has iterations, as far as that is one condition, the same in all iterations of
 * the loops between; NULL: not. */
static const struct affine *when_any(struct arena *arena, const struct node *node)
{
    const struct affine *found = NULL;

    if (ragged_is_literal(arena, node) && ragged_is_ragged(node)) {
        const ragged_limits list = ragged_limits_of(arena, node);
        return list.n == 1 ? ragged_within(arena, &list.at[0], list.at[0].lower ? node->upper : node->lower) : NULL;
    }
    for (int k = 0; k < node->n_child && !found; k++)
        found = when_any(arena, node->child[k]);
    return found && node->var && affine_uses(found, node->var) ? NULL : found;
}

/* node, of which no tile is full; where it has none at all, no lane of a vector is to be anywhere. */
static const struct node *partial_alone(const struct facts *facts, const struct node *node,
                                        const struct completion *completion)
{
    struct arena *arena = facts->lowering->arena;
    struct condition *any = ARENA_NEW(arena, struct condition);
    struct guard *guard = ARENA_NEW(arena, struct guard);
    struct facts none = *facts, some = *facts;

    any->affine = when_any(arena, node);
    *guard = (struct guard){any, 1};
    if (!any->affine || facts_imply(facts, any->affine))
        return complete(facts, node, completion);
    facts_assume(&none, affine_add_constant(arena, affine_scale(arena, any->affine, -1), -1));
    if (!is_idle(&none, node))
        return complete(facts, node, completion);
    facts_assume(&some, any->affine);
    node = complete(&some, node, completion);
    return node ? node_if(arena, guard, 1, node) : NULL;
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
    const ragged_conditions open = open_conditions(facts, &ragged->full);
    const bool copies = ragged_copies_again(&ragged->around, node);
    const char *comment = copies ? node->comment : NULL;

    node = copies ? node_with_comment(arena, node, NULL) : node;
    part[0] = complete(facts, node, &completion);
    if (open.n == 0)
        return commented(arena, part[0], comment);
    *full = (struct guard){open.at, open.n};
    part[0] = ragged->around.remainder ? part[0] : in_full_tiles(facts, full, part[0]);
    partial = guard_opposites(arena, full);
    facts_assume_guards(&inside, partial, open.n);
    if (copies && is_idle(&inside, node))
        return node_with_comment(arena, node, comment);
    completion.partial = true;
    if (are_impossible(facts, &open))
        return commented(arena, partial_alone(facts, node, &completion), comment);
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
        ragged_collect(&ragged, block->child[k]);
        found = ragged.full.n == 0 && ragged.inside.n == 0;
    }
    return found;
}

/* The same inside of node. */
static struct ragged_around inside_of(const struct ragged_around *around, const struct node *node)
{
    const struct loop_plan *plan = node->kind == NODE_LOOP && node->info ? node->info->plan : NULL;
    struct ragged_around inside = *around;

    if (node->kind == NODE_LOOP && (!plan || plan->axis == AXIS_NONE))
        inside.repeats = true;
    else if (plan && axis_is_block(plan->axis))
        inside.repeats = false;
    return inside;
}

static const struct node *walk(const struct facts *facts, const struct node *node, void *user)
{
    struct arena *arena = facts->lowering->arena;
    const struct ragged_around *around = user;
    struct ragged_around inside = inside_of(around, node);
    struct ragged ragged = {.arena = arena, .around = *around};
    const struct completion completion = {.remainder = around->remainder, .inside = &ragged.inside};

    ragged_collect(&ragged, node);
    if (ragged.failed) {
        refuse(facts->lowering, ragged.loop);
        return NULL;
    }
    if (ragged.full.n == 0 && ragged.inside.n == 0)
        return around->remainder ? complete(facts, node, &completion) : node;
    if (ragged_is_known(&ragged) && !has_whole_child(arena, node))
        return both(facts, &ragged, node);
    node = descend(facts, node, walk, &inside);
    return node && node->kind == NODE_BLOCK && !node->comment ? node_block(arena, node->child, node->n_child) : node;
}

static const struct node *walk_call(const struct facts *facts, const struct node *call)
{
    struct arena *arena = facts->lowering->arena;
    struct ragged ragged = {.arena = arena};
    struct ragged_remainder remainder = {{0}};
    const struct node *body;

    ragged_collect(&ragged, call->child[0]);
    for (int k = 0; k < ragged.inner.n; k++)
        VEC_PUSH(arena, &remainder.inner, ragged.inner.at[k]);
    body = walk(facts, call->child[0], &(struct ragged_around){&remainder, false});
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

/* Does a literal loop start at a value that moves, and always have the same number of iterations, `i = b .. b + 7`? */
static bool moves(struct arena *arena, const struct node *node)
{
    return ragged_is_literal(arena, node) && !node->rest && !node->continues &&
           !bound_constant(arena, node->lower, ATOM_MAX) &&
           affine_is_constant(affine_sub(arena, node->upper, node->lower), NULL);
}

/* node with such loops counting from 0. */
static const struct node *from_zero(struct lowering *lowering, const struct node *node)
{
    struct arena *arena = lowering->arena;
    const struct node **child = ARENA_ARRAY(arena, node->n_child, const struct node *);
    struct node *copy;

    for (int k = 0; k < node->n_child; k++)
        child[k] = from_zero(lowering, node->child[k]);
    node = node_with_children(arena, node, child);
    if (!moves(arena, node))
        return node;
    copy = ARENA_NEW(arena, struct node);
    *copy = *node_with_bounds(arena, node, affine_constant(arena, 0), affine_sub(arena, node->upper, node->lower));
    copy->var = lower_new_var(lowering, VAR_LOOP, node->var->name);
    return node_with_body(arena, copy,
                          node_substitute(arena, node->child[0], node->var,
                                          affine_add(arena, node->lower, affine_var(arena, copy->var))));
}

/* Does a literal loop below, j <= i, have literal bounds where the loop's value is a literal? */
static bool bounds_loop_below(struct arena *arena, const struct node *loop, const struct node *node)
{
    const struct affine *zero = affine_constant(arena, 0);
    bool found = ragged_is_literal(arena, node) && !node->info->plan->vector &&
                 (affine_uses(node->lower, loop->var) || affine_uses(node->upper, loop->var)) &&
                 affine_is_constant(affine_substitute(arena, node->lower, loop->var, zero), NULL) &&
                 affine_is_constant(affine_substitute(arena, node->upper, loop->var, zero), NULL);

    for (int k = 0; k < node->n_child && !found; k++)
        found = bounds_loop_below(arena, loop, node->child[k]);
    return found;
}

/* Are the loop's values to be literals, of which loops below get theirs? */
static bool is_written_out(struct arena *arena, const struct node *loop)
{
    const struct loop_plan *plan = loop->kind == NODE_LOOP && loop->info ? loop->info->plan : NULL;
    const int64_t n =
        plan && (plan->unroll == UNROLL_FULL || plan->unroll == UNROLL_LITERAL) ? unroll_iterations(loop) : -1;

    return n >= 0 && n <= UNROLL_MOST && bounds_loop_below(arena, loop, loop->child[0]);
}

/* node with such loops written out. */
static const struct node *written_out(const struct facts *facts, const struct node *node, void *user)
{
    return is_written_out(facts->lowering->arena, node) ? unroll_copies(facts, node, written_out)
                                                        : descend(facts, node, written_out, user);
}

const struct node *lower_literal(struct lowering *lowering, const struct node *tree)
{
    struct facts facts = facts_of_program(lowering);

    tree = written_out(&facts, tree, NULL);
    tree = tree ? from_zero(lowering, tree) : NULL;
    if (!tree)
        return NULL;
    tree = walk_calls(&facts, tree, NULL);
    return tree ? walk(&facts, tree, &(struct ragged_around){NULL, false}) : NULL;
}
