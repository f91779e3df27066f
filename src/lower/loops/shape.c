/* The shape of the loops. isl cuts a loop into pieces so that no condition stays inside, which for statements whose
 * domains meet at a slant can scatter them over many copies with conditions that nobody can read. Then the loops are
 * generated once more, all but the innermost in one piece, and the cheaper text is taken. Not where the one piece runs
 * over what the pieces leave out, as over k = 0 .. i + 2 for one of
 *     { k = 0 .. 2 : i = 0 }, { k = i + 1 .. i + 2 : i >= 1 }
 */
#include "lower/facts/bound.h"
#include "lower/loops/hulls.h"
#include "lower/loops/torn.h"
#include "lower/pipeline.h"

#include "poly/context.h"
#include "sched/specialise.h"
#include "tree/visit.h"

/* What a reader pays. A condition costs more the more often it is tested. */
enum { COST_STATEMENT = 4, COST_LOOP = 2, COST_CONDITION = 2, COST_DEPTH = 2, COST_FLOOR = 6, COST_OR = 6 };

static int count_copies(const struct node *node, const struct statement *statement)
{
    int n = node->kind == NODE_STATEMENT && node->statement == statement;

    for (int k = 0; k < node->n_child; k++)
        n += count_copies(node->child[k], statement);
    return n;
}

static bool tests_floor(const struct node *node)
{
    for (int k = 0; k < node->n_alternative; k++)
        for (int c = 0; c < node->alternative[k].n; c++)
            if (affine_has_floor(node->alternative[k].condition[c].affine))
                return true;
    return false;
}

/* Is there a condition that is hard to read? */
static bool has_hard_condition(const struct node *node)
{
    if (node->n_alternative > 1 || tests_floor(node))
        return true;
    for (int k = 0; k < node->n_child; k++)
        if (has_hard_condition(node->child[k]))
            return true;
    return false;
}

/* Arguments of minima and maxima beyond the first, and divisions. */
static int bound_cost(const struct affine *a)
{
    int cost = 0;

    for (int k = 0; k < a->n_term; k++) {
        const struct atom *atom = a->term[k].atom;
        cost += atom->kind == ATOM_VAR ? 0 : atom->kind == ATOM_FLOOR ? 1 : atom->n_arg - 1;
        for (int i = 0; i < atom->n_arg; i++)
            cost += bound_cost(atom->arg[i]);
    }
    return cost;
}

static int condition_cost(const struct node *node, int depth)
{
    int cost = COST_OR * (node->n_alternative - 1);

    for (int k = 0; k < node->n_alternative; k++)
        for (int c = 0; c < node->alternative[k].n; c++)
            cost += COST_CONDITION + COST_DEPTH * depth +
                    (affine_has_floor(node->alternative[k].condition[c].affine) ? COST_FLOOR : 0);
    return cost;
}

static int cost_of(const struct node *node, int depth)
{
    int cost = 0;

    if (node->kind == NODE_STATEMENT)
        cost = COST_STATEMENT;
    else if (node->kind == NODE_IF)
        cost = condition_cost(node, depth);
    else if (node->kind == NODE_LOOP)
        cost = COST_LOOP + bound_cost(node->lower) + bound_cost(node->upper);
    for (int k = 0; k < node->n_child; k++)
        cost += cost_of(node->child[k], depth + (node->kind == NODE_LOOP));
    return cost;
}

/* Are there more than two copies of a part of a statement in what isl made? */
static bool is_scattered(const struct lowering *lowering, const struct order *order, const struct node *tree)
{
    const struct program *program = lowering->program;

    for (int k = 0; k < program->n_statement; k++) {
        const int leaves = order_leaves(order, program->statement[k]);
        if (count_copies(tree, program->statement[k]) > leaves + 1)
            return true;
    }
    return false;
}

/* Variables of loops around that are between two numbers. */
struct between {
    const struct var *var;
    const struct between *outer;
};

/* Is a between two numbers, too? */
static bool is_between(const struct affine *a, const struct between *known)
{
    for (int k = 0; k < a->n_term; k++) {
        const struct atom *atom = a->term[k].atom;
        const struct between *at = known;
        for (int n = 0; atom->kind != ATOM_VAR && n < atom->n_arg; n++)
            if (!is_between(atom->arg[n], known))
                return false;
        while (atom->kind == ATOM_VAR && at && at->var != atom->var)
            at = at->outer;
        if (atom->kind == ATOM_VAR && !at)
            return false;
    }
    return true;
}

/* Is one of a bound's arguments, of which the extreme is taken, between two numbers? */
static bool has_end(struct arena *arena, const struct affine *bound, enum atom_kind extreme,
                    const struct between *known)
{
    const struct affine *const *arg;
    enum atom_kind kind;
    const int n = bound_args(arena, bound, &arg, &kind);

    for (int k = 0; k < n && (kind == extreme || kind == ATOM_VAR); k++)
        if (arg[k] && is_between(arg[k], known))
            return true;
    return false;
}

/* Does a number bound the loop's iterations? It does where one bounds the distance of a first and a last value. */
static bool is_short(struct arena *arena, const struct node *loop, const struct between *known)
{
    const struct affine *const *first;
    enum atom_kind kind;
    const int n = bound_args(arena, loop->lower, &first, &kind);

    for (int k = 0; k < n && kind != ATOM_MIN; k++) {
        const struct affine *extent = bound_add(arena, loop->upper, affine_scale(arena, first[k], -1));
        if (extent && has_end(arena, extent, ATOM_MIN, known))
            return true;
    }
    return false;
}

/* The most loops inside of each other that are not short. */
static int long_loops(struct arena *arena, const struct node *node, const struct between *known)
{
    const bool is_loop = node->kind == NODE_LOOP;
    const struct between own = {node->var, known};
    int most = 0;

    if (is_loop && has_end(arena, node->lower, ATOM_MAX, known) && has_end(arena, node->upper, ATOM_MIN, known))
        known = &own;
    for (int k = 0; k < node->n_child; k++) {
        const int n = long_loops(arena, node->child[k], known);
        most = n > most ? n : most;
    }
    return most + (is_loop && !is_short(arena, node, known));
}

static const struct node *refined(struct lowering *lowering, const struct node *tree)
{
    tree = tree ? pipeline_passed(lowering, "tidy", lower_tidy(lowering, tree)) : NULL;
    tree = tree ? pipeline_passed(lowering, "join", lower_join(lowering, tree)) : NULL;
    tree = tree ? pipeline_passed(lowering, "scale", lower_scale(lowering, tree)) : NULL;
    return tree ? pipeline_passed(lowering, "refine", lower_refine(lowering, tree)) : NULL;
}

/* isl's loops, or NULL after setting ->spent where they take more than a part of the budget: what isl copes with takes
 * far less, and samples of sets with many quotients take it seconds for each thousand operations. */
static const struct node *within_part(struct lowering *lowering, const struct order *order, bool whole)
{
    isl_ctx *ctx = lowering->program->ctx;
    const unsigned long budget = isl_ctx_get_max_operations(ctx);
    const struct node *tree;

    if (budget == 0 || isl_ctx_last_error(ctx) != isl_error_none)
        return lower_from_isl(lowering, order, whole);
    isl_ctx_set_max_operations(ctx, lower_loops_budget(lowering));
    poly_begin(ctx);
    tree = lower_from_isl(lowering, order, whole);
    lowering->spent = !tree && poly_budget_spent(ctx);
    isl_ctx_set_max_operations(ctx, budget);
    if (lowering->spent)
        poly_begin(ctx);
    return tree;
}

static const struct node *from_hulls(struct lowering *lowering, const struct order *order, bool whole)
{
    const struct order *hulls = hulls_order(lowering, order);
    const struct node *tree = within_part(lowering, hulls, whole);

    return hulls_conditions(lowering, order, hulls, tree);
}

/* The loops that isl makes, over hulls where it makes wrong ones, none, or does not end. It makes none where it asks
 * itself for the quotients of what it has coalesced. whole: another form of loops that are there; hulls, whose loops go
 * further, do not stand in for it. */
static const struct node *from_isl(struct lowering *lowering, const struct order *order, bool whole)
{
    const struct node *tree;

    if (hulls_must_help(order))
        return from_hulls(lowering, order, whole);
    tree = within_part(lowering, order, whole);
    if (!hulls_may_help(order) || (tree && !lower_uncovered(lowering, order, tree)))
        return tree;
    if (!tree && whole && !lowering->spent)
        return NULL;
    if (!tree)
        poly_begin(lowering->program->ctx);
    lowering->failed = false;
    return from_hulls(lowering, order, whole);
}

/* tree, or the loops in one piece where these read better, or alone are right. */
static const struct node *better(struct lowering *lowering, const struct order *order, const struct node *tree)
{
    const bool failed = lowering->failed, torn = lower_torn(lowering->program, tree);
    const struct node *whole = refined(lowering, from_isl(lowering, order, true));

    lowering->failed = failed;
    lowering->spent = false;
    if (!whole || (lower_torn(lowering->program, whole) && !torn))
        return tree;
    if (!torn && long_loops(lowering->arena, whole, NULL) > long_loops(lowering->arena, tree, NULL))
        return tree;
    return torn || cost_of(whole, 0) < cost_of(tree, 0) ? whole : tree;
}

const struct node *lower_shape(struct lowering *lowering, const struct order *order)
{
    const struct order *plain = order_specialise(lowering->arena, lowering->program, order);
    const struct node *made = lower_direct(lowering, plain), *tree;

    made = made ? made : from_isl(lowering, plain, false);
    made = made ? pipeline_passed(lowering, "loops", made) : NULL;
    tree = refined(lowering, made);
    if (!tree ||
        (!is_scattered(lowering, plain, made) && !has_hard_condition(tree) && !lower_torn(lowering->program, tree)))
        return tree;
    return better(lowering, plain, tree);
}
