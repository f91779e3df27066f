/* Pass "refine": cuts loops made of tiles where their inner parts change shape, and takes out of bounds and
 * conditions what the loops around already say.
 *
 * One walk from the outside in, with the facts that hold at each place: a cut is what makes the bounds inside
 * simple, so both belong together.
 */
#include "base/vec.h"
#include "lower/facts/bound.h"
#include "lower/facts/facts.h"
#include "lower/tiles/cut.h"
#include "lower/tiles/loosen.h"
#include "lower/tiles/plain_end.h"
#include "lower/tiles/refine.h"
#include "lower/tiles/refine_bound.h"
#include "lower/tiles/rest.h"
#include "lower/tiles/spread.h"
#include "plan/loop_plan.h"
#include "tree/visit.h"

#include <stdlib.h>
#include <string.h>

static const struct node *refine(const struct facts *facts, const struct node *node);

static const struct node *empty(const struct facts *facts)
{
    return node_block(facts->lowering->arena, NULL, 0);
}

static const struct node *refine_block(const struct facts *facts, const struct node *block)
{
    struct arena *arena = facts->lowering->arena;
    const struct node **child = ARENA_ARRAY(arena, block->n_child + 1, const struct node *);
    int n = 0;

    for (int k = 0; k < block->n_child; k++) {
        child[n] = refine(facts, block->child[k]);
        if (!child[n])
            return NULL;
        n += !node_is_empty(child[n]);
    }
    return node_block(arena, child, n);
}

/* a / gcd, rounded down: the factors are multiples of gcd. */
static const struct affine *divided(struct arena *arena, const struct affine *a, int64_t gcd)
{
    const int64_t rest = ((a->constant % gcd) + gcd) % gcd;

    return affine_floor(arena, affine_add_constant(arena, a, -rest), gcd);
}

/* A condition a >= 0 without the common factor, and without its division: floor(e / d) >= c for e >= d * c. */
static struct condition plain_condition(struct arena *arena, struct condition condition)
{
    const struct affine *a = condition.affine, *rest, *left;
    const int64_t gcd = affine_gcd(a);

    if (condition.equal)
        return condition;
    if (gcd > 1)
        a = divided(arena, a, gcd);
    for (int k = 0; a && k < a->n_term; k++) {
        const struct atom *atom = a->term[k].atom;
        const int64_t factor = a->term[k].factor;
        if (atom->kind != ATOM_FLOOR || (factor != 1 && factor != -1))
            continue;
        rest = affine_sub(arena, a, affine_scale(arena, affine_floor(arena, atom->arg[0], atom->divisor), factor));
        left = affine_add(arena, affine_scale(arena, atom->arg[0], factor), affine_scale(arena, rest, atom->divisor));
        if (factor == -1)
            left = affine_add_constant(arena, left, atom->divisor - 1);
        a = left;
        break;
    }
    if (a)
        condition.affine = a;
    return condition;
}

/* No argument has a positive term. */
static bool is_negative(const struct atom *atom)
{
    for (int k = 0; k < atom->n_arg; k++) {
        for (int term = 0; term < atom->arg[k]->n_term; term++)
            if (atom->arg[k]->term[term].factor > 0)
                return false;
        if (atom->arg[k]->n_term == 0 && atom->arg[k]->constant > 0)
            return false;
    }
    return true;
}

/* a with -min(6, i) for max(-6, -i): a condition then has the minimum on its other side. */
static const struct affine *without_negative_extremes(struct arena *arena, const struct affine *a)
{
    const struct affine *result = a;

    for (int k = 0; result && k < a->n_term; k++) {
        const struct atom *atom = a->term[k].atom;
        const struct affine *whole, *positive;
        if ((atom->kind != ATOM_MIN && atom->kind != ATOM_MAX) || !is_negative(atom))
            continue;
        whole = affine_extreme(arena, atom->kind, atom->arg, atom->n_arg);
        positive = affine_scale(arena, bound_scale(arena, whole, -1), -1);
        whole = affine_sub(arena, positive, whole);
        result = affine_add(arena, result, affine_scale(arena, whole, a->term[k].factor));
    }
    return result ? result : a;
}

typedef VEC(struct condition) conditions;

/* a >= 0 as plain conditions: a minimum that must be large enough is one of each argument. */
static void split_condition(struct arena *arena, struct condition condition, conditions *split)
{
    const struct affine_term *term = condition.equal ? NULL : facts_splitting_term(condition.affine);

    if (!term) {
        condition.affine = without_negative_extremes(arena, condition.affine);
        VEC_PUSH(arena, split, plain_condition(arena, condition));
        return;
    }
    for (int k = 0; k < term->atom->n_arg; k++) {
        const struct affine *part = facts_with_argument(arena, condition.affine, term, k);
        if (part)
            split_condition(arena, (struct condition){part, false}, split);
    }
}

/* The operand of a remainder e % d (+ rest) that is all there is of a; NULL when it is something else. */
static const struct affine *only_remainder(struct arena *arena, const struct affine *a, int64_t rest, int64_t *divisor)
{
    for (int k = 0; k < a->n_term; k++) {
        const struct atom *atom = a->term[k].atom;
        const struct affine *remainder;
        if (atom->kind != ATOM_FLOOR || a->term[k].factor != -atom->divisor)
            continue;
        *divisor = atom->divisor;
        remainder = affine_mod(arena, atom->arg[0], *divisor);
        remainder = remainder ? affine_sub(arena, affine_sub(arena, a, remainder), affine_constant(arena, rest)) : NULL;
        if (remainder && remainder->n_term == 0 && remainder->constant == 0)
            return atom->arg[0];
    }
    return NULL;
}

/* `i % 2 == 1` for (i + 1) % 2 == 0 and for i % 2 >= 1, where i is never negative. */
static struct condition simple_remainder(const struct facts *facts, struct condition condition)
{
    struct arena *arena = facts->lowering->arena;
    int64_t divisor, rest, wanted = condition.equal ? 0 : 1;
    const struct affine *operand = only_remainder(arena, condition.affine, -wanted, &divisor), *bare, *simple;

    if (!operand || (!condition.equal && divisor != 2))
        return condition;
    bare = affine_add_constant(arena, operand, -operand->constant);
    if (!bare || !facts_imply(facts, bare))
        return condition;
    rest = ((wanted - operand->constant) % divisor + divisor) % divisor;
    simple = affine_mod(arena, bare, divisor);
    simple = simple ? affine_add_constant(arena, simple, -rest) : NULL;
    return simple ? (struct condition){simple, true} : condition;
}

/* Does condition k follow from the others? */
static bool follows(const struct facts *facts, const conditions *all, int k)
{
    struct facts others = *facts;
    bool implied;

    for (int c = 0; c < all->n; c++)
        if (c != k)
            facts_assume_condition(&others, &all->at[c]);
    implied = facts_imply_condition(&others, &all->at[k]);
    return implied;
}

/* Takes out conditions that follow from later ones: N >= 1 beside N % 2 == 1. */
static void drop_implied(const struct facts *facts, conditions *all)
{
    for (int k = 0; k < all->n && all->n > 1; k++) {
        if (!follows(facts, all, k))
            continue;
        all->n--;
        memmove(&all->at[k], &all->at[k + 1], (size_t)(all->n - k) * sizeof(*all->at));
        k--;
    }
}

/* The alternative without the conditions that hold anyway; false when it cannot hold. */
static bool refine_guard(const struct facts *facts, const struct guard *guard, struct guard *refined)
{
    conditions split = {0}, kept = {0};
    struct facts inside = *facts;
    bool possible = true;

    for (int k = 0; k < guard->n; k++)
        split_condition(facts->lowering->arena, guard->condition[k], &split);
    for (int k = 0; k < split.n && possible; k++) {
        possible = facts_allow_condition(&inside, &split.at[k]);
        if (!possible || facts_imply_condition(&inside, &split.at[k]))
            continue;
        VEC_PUSH(facts->lowering->arena, &kept, simple_remainder(&inside, split.at[k]));
        facts_assume_condition(&inside, &split.at[k]);
    }
    if (possible)
        drop_implied(facts, &kept);
    *refined = (struct guard){kept.at, kept.n};
    return possible;
}

/* A condition of its own directly inside a condition: both in one. */
static const struct node *merge_ifs(struct arena *arena, const struct guard *outer, const struct node *inner)
{
    const struct guard *more = inner->alternative;
    struct condition *condition = ARENA_ARRAY(arena, outer->n + more->n, struct condition);
    struct guard *guard = ARENA_NEW(arena, struct guard);

    memcpy(condition, outer->condition, (size_t)outer->n * sizeof(*condition));
    memcpy(condition + outer->n, more->condition, (size_t)more->n * sizeof(*condition));
    *guard = (struct guard){condition, outer->n + more->n};
    return node_if(arena, guard, 1, inner->child[0]);
}

static const struct node *with_comment_of(struct arena *arena, const struct node *node, const struct node *from)
{
    return from->comment && node && !node->comment ? node_with_comment(arena, node, from->comment) : node;
}

/* Would body do nothing anyway where the condition does not hold? */
static bool is_needless(const struct facts *facts, const struct guard *guard, const struct node *body)
{
    return guard->n == 1 && !guard->condition[0].equal && idle_otherwise(facts, &guard->condition[0], body);
}

static const struct node *refine_if(const struct facts *facts, const struct node *node)
{
    struct arena *arena = facts->lowering->arena;
    struct guard *alternative = ARENA_ARRAY(arena, node->n_alternative, struct guard);
    struct facts inside = *facts;
    const struct node *body;
    int n = 0;
    bool always = false;

    for (int k = 0; k < node->n_alternative; k++)
        if (refine_guard(facts, &node->alternative[k], &alternative[n])) {
            always = always || alternative[n].n == 0;
            n++;
        }
    facts_assume_guards(&inside, alternative, always ? 0 : n);
    body = n > 0 ? refine(&inside, node->child[0]) : empty(facts);
    if (!body || node_is_empty(body))
        return body;
    if (always || (n == 1 && is_needless(facts, alternative, body)))
        return with_comment_of(arena, body, node);
    if (n == 1 && body->kind == NODE_IF && body->n_alternative == 1 && !body->comment)
        return with_comment_of(arena, merge_ifs(arena, alternative, body), node);
    return with_comment_of(arena, node_if(arena, alternative, n, body), node);
}

static const struct node *refine_call(const struct facts *facts, const struct node *node)
{
    const struct node *body = refine(facts, node->child[0]);

    return !body || node_is_empty(body) ? body : node_with_body(facts->lowering->arena, node, body);
}

static const struct node *refine_switch(const struct facts *facts, const struct node *node)
{
    struct arena *arena = facts->lowering->arena;
    const struct node **child = ARENA_ARRAY(arena, node->n_child, const struct node *);
    int64_t *label = ARENA_ARRAY(arena, node->n_child, int64_t);
    int n = 0;

    for (int k = 0; k < node->n_child; k++) {
        struct facts inside = *facts;
        facts_enter(&inside, node, k);
        child[n] = refine(&inside, node->child[k]);
        if (!child[n])
            return NULL;
        label[n] = node->label[k];
        n += !node_is_empty(child[n]);
    }
    return n ? node_switch(arena, node->lower, label, child, n) : empty(facts);
}

/* Does the first value of a loop read well wherever its variable stands? */
static bool is_plain(const struct affine *value)
{
    for (int k = 0; k < value->n_term; k++)
        if (value->term[k].atom->kind != ATOM_VAR)
            return false;
    return value->n_term <= 2;
}

static const struct node *refine_value(const struct facts *facts, const struct node *node)
{
    struct facts inside;
    const struct node *body;
    int64_t value;

    if (!is_plain(node->lower) && facts_constant(facts, node->lower, &value)) {
        const struct affine *constant = affine_constant(facts->lowering->arena, value);
        return refine(facts, node_substitute(facts->lowering->arena, node->child[0], node->var, constant));
    }
    inside = *facts;
    facts_enter_value(&inside, node);
    body = refine(&inside, node->child[0]);
    if (!body || node_is_empty(body))
        return body;
    return node_with_body(facts->lowering->arena, node, body);
}

/* The body of a loop's only iteration: a plain first value stands for the variable, another one gets its name. */
static const struct node *only_body(const struct facts *facts, const struct node *loop)
{
    struct arena *arena = facts->lowering->arena;
    const struct node *body = loop->piece ? rest_over_values(facts->lowering, loop) : loop->child[0];
    struct var *value;

    if (!body || is_plain(loop->lower) || !node_uses(body, loop->var))
        return body ? node_substitute(arena, body, loop->var, loop->lower) : NULL;
    value = lower_new_var(facts->lowering, VAR_VALUE, loop->var->name);
    return node_value(arena, value, loop->lower, node_substitute(arena, body, loop->var, affine_var(arena, value)));
}

static const struct node *only_iteration(const struct facts *facts, const struct node *loop)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *left = affine_sub(arena, loop->upper, loop->lower);
    struct condition *runs = ARENA_NEW(arena, struct condition);
    struct guard *guard = ARENA_NEW(arena, struct guard);
    const struct node *body = only_body(facts, loop);

    *runs = (struct condition){loop->step < 0 ? affine_scale(arena, left, -1) : left, false};
    *guard = (struct guard){runs, 1};
    if (body && !facts_imply_condition(facts, runs) && !idle_otherwise(facts, runs, body))
        body = node_if(arena, guard, 1, body);
    body = body ? refine(facts, body) : NULL;
    return body && !node_is_empty(body) ? with_comment_of(arena, body, loop) : body;
}

static bool runs_at_most_once(const struct facts *facts, const struct node *loop)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *left = affine_sub(arena, loop->upper, loop->lower);
    const int64_t size = loop->step < 0 ? -loop->step : loop->step;

    if (loop->step < 0)
        left = affine_scale(arena, left, -1);
    return facts_imply(facts, affine_add_constant(arena, affine_scale(arena, left, -1), size - 1));
}

/* A condition all around a loop's body, or the part of it that does not change from one iteration to the next, goes
 * around the loop. */
static const struct node *hoist_condition(struct arena *arena, const struct node *loop, const struct node *body)
{
    const struct guard *guard = body->alternative;
    struct guard *split = ARENA_ARRAY(arena, 2, struct guard);
    struct condition *condition[2];

    if (body->kind != NODE_IF || body->n_alternative != 1 || body->comment || loop->comment)
        return node_with_body(arena, loop, body);
    for (int k = 0; k < 2; k++)
        condition[k] = ARENA_ARRAY(arena, guard->n, struct condition);
    for (int k = 0; k < guard->n; k++) {
        const int inside = affine_uses(guard->condition[k].affine, loop->var);
        condition[inside][split[inside].n++] = guard->condition[k];
    }
    if (split[0].n == 0)
        return node_with_body(arena, loop, body);
    split[0].condition = condition[0];
    split[1].condition = condition[1];
    loop = node_with_body(arena, loop, node_if(arena, &split[1], 1, body->child[0]));
    return loop ? node_if(arena, &split[0], 1, loop) : NULL;
}

static const struct node *refine_body(const struct facts *facts, const struct node *loop)
{
    struct facts inside = *facts;
    const struct node *body;

    facts_enter_loop(&inside, loop);
    body = facts_possible(&inside) ? refine(&inside, loop->child[0]) : empty(facts);
    if (!body || node_is_empty(body))
        return body;
    return hoist_condition(facts->lowering->arena, loop, body);
}

/* end, or the constant argument of it with which the loop has the same values: N - 2, which is 2 or 3, of min(3, N - 2)
 * where the values are even. */
static const struct affine *constant_end(const struct facts *facts, const struct node *loop, const struct affine *end)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *constant = bound_constant(arena, end, ATOM_MIN), *last, *const * arg;
    enum atom_kind kind;
    int64_t first;
    const int n = bound_args(arena, end, &arg, &kind);

    if (!constant || n == 1 || loop->step < 2 || !affine_is_constant(loop->lower, &first) || constant->constant < first)
        return end;
    last = affine_constant(arena, constant->constant - (constant->constant - first) % loop->step);
    for (int k = 0; k < n; k++)
        if (!facts_imply(facts, affine_sub(arena, arg[k], last)))
            return end;
    return constant;
}

/* A loop that is to run over literals keeps its constant end, though the other one may never be beyond it. */
static const struct affine *refine_end(const struct facts *facts, const struct node *loop)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *end = constant_end(facts, loop, refine_bound(facts, loop->upper));
    const struct affine *both[2] = {end, bound_constant(arena, loop->upper, ATOM_MIN)};

    if (!end || !both[1] || loop->rest || !loop->info || !loop_plan_is_literal(loop->info) ||
        bound_constant(arena, end, ATOM_MIN))
        return end;
    return affine_extreme(arena, ATOM_MIN, both, 2);
}

static const struct node *refine_loop(const struct facts *facts, const struct node *loop)
{
    struct arena *arena = facts->lowering->arena;
    const struct node *piece;

    loop = node_with_bounds(arena, loop, refine_bound(facts, loop->lower), refine_end(facts, loop));
    if (!loop)
        return NULL;
    if (!loop_plan_has_positions(loop->info) && runs_at_most_once(facts, loop))
        return only_iteration(facts, loop);
    if (!loop->piece)
        loop = plain_parts(facts, cut_end(facts, plain_end(facts, loop)));
    if (!loop)
        return NULL;
    piece = loop->piece ? loop : refine_whole(facts, loop);
    if (piece == loop && !loop->piece)
        piece = cut_loop(facts, loop);
    if (piece != loop)
        return piece ? refine(facts, piece) : NULL;
    loop = refine_body(facts, loosen_loop(facts, loop));
    return loop && loop->kind == NODE_LOOP ? spread_loop(facts, loop) : loop;
}

static const struct node *refine(const struct facts *facts, const struct node *node)
{
    switch (node->kind) {
    case NODE_BLOCK:
        return refine_block(facts, node);
    case NODE_LOOP:
        return refine_loop(facts, node);
    case NODE_IF:
        return refine_if(facts, node);
    case NODE_VALUE:
        return refine_value(facts, node);
    case NODE_SWITCH:
        return refine_switch(facts, node);
    case NODE_CALL:
        return refine_call(facts, node);
    default:
        return node;
    }
}

const struct node *refine_inside(const struct facts *facts, const struct node *node)
{
    return refine(facts, node);
}

const struct node *lower_refine(struct lowering *lowering, const struct node *tree)
{
    struct facts facts = facts_of_program(lowering);
    const struct node *refined = refine(&facts, tree);

    return refined;
}
