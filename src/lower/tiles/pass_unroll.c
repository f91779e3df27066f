/* Pass "unroll": loops that a step wants written out become a sequence; others are marked for the compiler. */
#include "lower/tiles/unroll.h"

#include "lower/lower.h"

#include "plan/loop_plan.h"
#include "tree/visit.h"

int64_t unroll_iterations(const struct node *loop)
{
    int64_t first, last;

    if (!affine_is_constant(loop->lower, &first) || !affine_is_constant(loop->upper, &last))
        return -1;
    return loop->step > 0 ? (last - first) / loop->step + 1 : (first - last) / -loop->step + 1;
}

/* Is the condition true or false here for all values? */
static bool is_told(const struct facts *facts, const struct condition *condition, bool *holds)
{
    *holds = facts_imply_condition(facts, condition);
    return *holds || !facts_allow_condition(facts, condition);
}

/* The conditions that are still to be tested; false: one never holds. */
static bool settle_guard(const struct facts *facts, const struct guard *guard, struct guard *settled)
{
    struct condition *kept = ARENA_ARRAY(facts->lowering->arena, guard->n + 1, struct condition);
    bool holds;

    *settled = (struct guard){kept, 0};
    for (int k = 0; k < guard->n; k++)
        if (!is_told(facts, &guard->condition[k], &holds))
            kept[settled->n++] = guard->condition[k];
        else if (!holds)
            return false;
    return true;
}

static const struct node *settled(const struct facts *facts, const struct node *node);

static const struct node *settled_child(const struct facts *facts, const struct node *node, int k)
{
    struct facts inside = *facts;

    facts_enter(&inside, node, k);
    return settled(&inside, node->child[k]);
}

static const struct node *settled_if(const struct facts *facts, const struct node *node)
{
    struct arena *arena = facts->lowering->arena;
    struct guard *alternative = ARENA_ARRAY(arena, node->n_alternative, struct guard);
    const struct node *body = settled_child(facts, node, 0);
    bool always = false;
    int n = 0;

    for (int k = 0; k < node->n_alternative; k++)
        if (settle_guard(facts, &node->alternative[k], &alternative[n]))
            always = always || alternative[n++].n == 0;
    if (!body || n == 0)
        return NULL;
    body = always ? body : node_if(arena, alternative, n, body);
    return node->comment && !body->comment ? node_with_comment(arena, body, node->comment) : body;
}

/* node, whose conditions on the values of unrolled loops are true or false by now; NULL: nothing is left of it. */
static const struct node *settled(const struct facts *facts, const struct node *node)
{
    struct arena *arena = facts->lowering->arena;
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);
    int n = 0;

    if (node->kind == NODE_IF)
        return settled_if(facts, node);
    if (node->n_child == 0 || node->kind == NODE_SWITCH)
        return node;
    for (int k = 0; k < node->n_child; k++) {
        child[n] = settled_child(facts, node, k);
        n += child[n] != NULL;
    }
    if (n == 0)
        return NULL;
    return node->kind == NODE_BLOCK ? node_block_like(arena, node, child, n) : node_with_children(arena, node, child);
}

const struct node *unroll_copies(const struct facts *facts, const struct node *loop, descend_function *inside)
{
    struct arena *arena = facts->lowering->arena;
    const int64_t n = unroll_iterations(loop);
    const struct node **child = ARENA_ARRAY(arena, n + 1, const struct node *);
    int n_child = 0;

    for (int64_t k = 0; k < n; k++) {
        const struct affine *value = affine_add_constant(arena, loop->lower, k * loop->step);
        const struct node *copy = node_substitute(arena, loop->child[0], loop->var, value);
        if (!copy)
            return NULL;
        copy = settled(facts, copy);
        if (!copy)
            continue;
        child[n_child] = inside(facts, copy, NULL);
        if (!child[n_child++])
            return NULL;
    }
    return node_block(arena, child, n_child);
}

static const struct node *walk(const struct facts *facts, const struct node *tree, void *user);

static const struct node *refuse(struct lowering *lowering, const struct node *loop, const char *hint, const char *what)
{
    struct diag *diag =
        diag_error(lowering->diags, "unroll", loop->info->plan->unroll_step->place, "`%s` %s", loop->info->name, what);

    diag_hint(lowering->diags, diag, "%s", hint);
    lowering->refused = true;
    return NULL;
}

/* loop, which the compiler is to unroll. */
static const struct node *marked(struct lowering *lowering, const struct node *loop, int64_t n)
{
    struct node *copy = ARENA_NEW(lowering->arena, struct node);

    *copy = *loop;
    copy->unroll = n;
    return copy;
}

/* loop, whose body is done, as its plan wants it. */
static const struct node *as_planned(const struct facts *facts, const struct node *loop)
{
    struct lowering *lowering = facts->lowering;
    const struct loop_plan *plan = loop->info->plan;
    const int64_t n = unroll_iterations(loop);

    if (plan->unroll == UNROLL_HINT && !plan->hint && n < 0)
        return refuse(lowering, loop, "say how many iterations, by `by`", "has no constant number of iterations");
    if (plan->unroll == UNROLL_HINT)
        return marked(lowering, loop, plan->hint ? plan->hint : n);
    if (plan->unroll == UNROLL_LITERAL && n > 1)
        return marked(lowering, loop, n);
    if (plan->unroll == UNROLL_FULL && n > UNROLL_MOST)
        return refuse(lowering, loop, "unroll some iterations at a time, by `by`", "has more iterations than 256");
    return plan->unroll == UNROLL_FULL && n >= 0 ? unroll_copies(facts, loop, walk) : loop;
}

static const struct node *walk(const struct facts *facts, const struct node *tree, void *user)
{
    if (tree->kind == NODE_LOOP && tree->info->unroll_below > 0 && !loop_plan_has_positions(tree->info)) {
        const int64_t n = unroll_iterations(tree);
        if (n >= 0 && n < tree->info->unroll_below)
            return unroll_copies(facts, tree, walk);
    }
    tree = descend(facts, tree, walk, user);
    return tree && tree->kind == NODE_LOOP && tree->info->plan ? as_planned(facts, tree) : tree;
}

const struct node *lower_unroll(struct lowering *lowering, const struct node *tree)
{
    const struct facts facts = facts_of_program(lowering);

    return walk(&facts, tree, NULL);
}
