/* Pass "else": of two conditions next to each other that never hold both, the second becomes `else`, or `else if`
 * with what remains to be tested; two that are the same are one. */
#include "lower/facts/facts.h"

#include "tree/visit.h"

/* The conditions that all alternatives have in common. */
static struct guard common_conditions(struct arena *arena, const struct node *node)
{
    const struct guard *first = &node->alternative[0];
    struct condition *condition = ARENA_ARRAY(arena, first->n + 1, struct condition);
    int n = 0;

    for (int c = 0; c < first->n; c++) {
        bool common = true;
        for (int k = 1; k < node->n_alternative; k++)
            common = common && guard_has(&node->alternative[k], &first->condition[c]);
        if (common)
            condition[n++] = first->condition[c];
    }
    return (struct guard){condition, n};
}

static bool suffices(const struct facts *facts, const struct guard *guard, const struct node *node)
{
    struct facts inside = *facts;
    bool implied;

    facts_assume_guards(&inside, guard, 1);
    implied = facts_imply_guards(&inside, node->alternative, node->n_alternative);
    return implied;
}

static int count_conditions(const struct node *node)
{
    int n = 0;

    for (int k = 0; k < node->n_alternative; k++)
        n += node->alternative[k].n;
    return n;
}

/* node with those of its conditions that must be tested where facts hold; NULL when that is all of them. */
static const struct node *with_fewer_conditions(const struct facts *facts, const struct node *node)
{
    struct arena *arena = facts->lowering->arena;
    struct guard *left = ARENA_NEW(arena, struct guard);

    *left = common_conditions(arena, node);
    if (!suffices(facts, left, node))
        return NULL;
    for (int c = left->n - 1; c >= 0; c--) {
        struct condition *fewer = ARENA_ARRAY(arena, left->n, struct condition);
        const struct guard without = {fewer, left->n - 1};
        for (int k = 0; k < without.n; k++)
            fewer[k] = left->condition[k + (k >= c)];
        if (suffices(facts, &without, node))
            *left = without;
    }
    return left->n < count_conditions(node) ? node_if(arena, left, 1, node->child[0]) : NULL;
}

static bool is_plain_if(const struct node *node)
{
    return node->kind == NODE_IF && node->n_child == 1 && !node->comment;
}

/* Does b run wherever the condition of a does not hold? */
static bool runs_otherwise(const struct facts *facts, const struct node *a, const struct node *b)
{
    const struct guard *guard = a->alternative;

    for (int c = 0; c < guard->n; c++) {
        struct facts inside = *facts;
        const struct affine *beyond = affine_scale(facts->lowering->arena, guard->condition[c].affine, -1);
        const struct condition fails = {beyond ? affine_add_constant(facts->lowering->arena, beyond, -1) : NULL, false};
        if (guard->condition[c].equal || !fails.affine)
            return false;
        facts_assume_condition(&inside, &fails);
        if (!facts_imply_guards(&inside, b->alternative, b->n_alternative))
            return false;
    }
    return a->n_alternative == 1;
}

/* b as what runs where the condition of a does not hold. NULL: that would be no shorter. */
static const struct node *otherwise(const struct facts *facts, const struct node *a, const struct node *b)
{
    struct facts inside = *facts;
    const struct node *fewer, *next;

    if (a->alternative->n > 1 && runs_otherwise(facts, a, b))
        return node_with_else(facts->lowering->arena, a, b->child[0]);
    facts_enter_branch(&inside, a, 1);
    fewer = next = with_fewer_conditions(&inside, b);
    while (next && is_plain_if(next)) {
        next = with_fewer_conditions(&inside, next);
        fewer = next ? next : fewer;
    }
    return fewer ? node_with_else(facts->lowering->arena, a, fewer) : NULL;
}

/* Is the value none of the labels where the condition of a holds? */
static bool excludes(const struct facts *facts, const struct node *a, const struct node *cases)
{
    struct facts inside = *facts;
    bool none = true;

    facts_enter_branch(&inside, a, 0);
    for (int k = 0; k < cases->n_child && none; k++) {
        const struct affine *rest = affine_add_constant(facts->lowering->arena, cases->lower, -cases->label[k]);
        none = rest && !facts_allow_condition(&inside, &(struct condition){rest, true});
    }
    return none;
}

static bool tests_var(const struct node *node, const struct var *var)
{
    for (int k = 0; k < node->n_alternative; k++)
        for (int c = 0; c < node->alternative[k].n; c++)
            if (affine_uses(node->alternative[k].condition[c].affine, var))
                return true;
    return false;
}

static bool has_barrier(const struct node *node)
{
    if (node->kind == NODE_STATEMENT && node->statement->barrier)
        return true;
    for (int k = 0; k < node->n_child; k++)
        if (has_barrier(node->child[k]))
            return true;
    return false;
}

/* `const v = ..; if (c) body` as `if (c) { const v = ..; body }`, where c does not test v; otherwise node itself.
 * Conditions around barriers stay apart: pass "grid" moves them inside, which it cannot do with an `else`. */
static const struct node *with_value_inside(struct arena *arena, const struct node *node)
{
    const struct node *inner =
        node->kind == NODE_VALUE && !node->comment ? with_value_inside(arena, node->child[0]) : node;

    if (inner == node || !is_plain_if(inner) || tests_var(inner, node->var) || has_barrier(inner))
        return node;
    return node_with_body(arena, inner, node_value(arena, node->var, node->lower, inner->child[0]));
}

static bool same_guard(const struct guard *a, const struct guard *b)
{
    for (int c = 0; c < a->n; c++)
        if (!guard_has(b, &a->condition[c]))
            return false;
    return a->n == b->n;
}

/* Are the alternatives of a and b the same, in any order? */
static bool same_condition(const struct node *a, const struct node *b)
{
    for (int k = 0; k < a->n_alternative; k++) {
        bool found = false;
        for (int c = 0; c < b->n_alternative; c++)
            found = found || same_guard(&a->alternative[k], &b->alternative[c]);
        if (!found)
            return false;
    }
    return a->n_alternative == b->n_alternative;
}

/* a, whose body is followed by that of b. */
static const struct node *with_body_of(struct arena *arena, const struct node *a, const struct node *b)
{
    return node_with_body(arena, a, node_block(arena, (const struct node *[]){a->child[0], b->child[0]}, 2));
}

/* a and b, which follows it, as one node; NULL when they stay two. */
static const struct node *pair(const struct facts *facts, const struct node *a, const struct node *b)
{
    const struct node *both = NULL;

    b = with_value_inside(facts->lowering->arena, b);
    if (is_plain_if(a) && is_plain_if(b) && same_condition(a, b) && !has_barrier(a) && !has_barrier(b))
        return with_body_of(facts->lowering->arena, a, b);
    if (is_plain_if(a) && b->kind == NODE_SWITCH && excludes(facts, a, b))
        return node_with_else(facts->lowering->arena, a, b);
    if (!is_plain_if(a) || !is_plain_if(b) || !facts_exclude(facts, a, b))
        return NULL;
    if (count_conditions(a) > count_conditions(b))
        both = otherwise(facts, b, a);
    return both ? both : otherwise(facts, a, b);
}

/* Of [a][b][c], where a and c have one condition and b runs only where it does not hold: c goes with a. *taken: it
 * did. */
static const struct node *with_next(const struct facts *facts, const struct node *a, const struct node *b,
                                    const struct node *c, bool *taken)
{
    *taken = is_plain_if(a) && is_plain_if(b) && is_plain_if(c) && same_condition(a, c) && facts_exclude(facts, a, b);
    if (!*taken)
        return a;
    return with_body_of(facts->lowering->arena, a, c);
}

static const struct node *pair_children(const struct facts *facts, const struct node *block)
{
    struct arena *arena = facts->lowering->arena;
    const struct node **child = ARENA_ARRAY(arena, block->n_child, const struct node *), *both;
    int n = 0;

    for (int k = 0; k < block->n_child; k++) {
        bool taken = false;
        if (n > 0 && k + 1 < block->n_child)
            child[n - 1] = with_next(facts, child[n - 1], block->child[k], block->child[k + 1], &taken);
        both = n > 0 ? pair(facts, child[n - 1], block->child[k]) : NULL;
        if (both)
            child[n - 1] = both;
        else
            child[n++] = block->child[k];
        k += taken;
    }
    if (n == block->n_child)
        return block;
    return node_block_like(arena, block, child, n);
}

/* Is it a condition, maybe with values in front of it? */
static bool is_tested(const struct node *node)
{
    while (node->kind == NODE_VALUE)
        node = node->child[0];
    return node->kind == NODE_IF || node->kind == NODE_SWITCH;
}

/* Are there conditions next to each other? */
static bool has_pair(const struct node *node)
{
    for (int k = 1; node->kind == NODE_BLOCK && k < node->n_child; k++)
        if (node->child[k - 1]->kind == NODE_IF && is_tested(node->child[k]))
            return true;
    for (int k = 0; k < node->n_child; k++)
        if (has_pair(node->child[k]))
            return true;
    return false;
}

static const struct node *walk(const struct facts *facts, const struct node *node)
{
    struct arena *arena = facts->lowering->arena;
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);

    if (!has_pair(node))
        return node;
    for (int k = 0; k < node->n_child; k++) {
        struct facts inside = *facts;
        facts_enter(&inside, node, k);
        child[k] = walk(&inside, node->child[k]);
    }
    node = node_with_children(arena, node, child);
    return node && node->kind == NODE_BLOCK ? pair_children(facts, node) : node;
}

const struct node *lower_else(struct lowering *lowering, const struct node *tree)
{
    struct facts facts = facts_of_program(lowering);
    const struct node *paired = walk(&facts, tree);

    return paired;
}
