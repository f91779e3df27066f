/* Pass "join": rows that the first iteration of a loop goes through, and the one row of each later iteration, are one
 * loop, so that what runs for a row stands there once.
 *
 *     for t = 0 to n:                           for t = 0 to n:
 *         if t >= 1: row(64 * y + t + 2)            for v = 64 * y + min(3 * t, t + 2) to 64 * y + t + 2:
 *         else: for v = 64 * y to 64 * y + 2:           row(v)
 *             row(v)
 *
 * So it is also where the rows of the first iteration but the last one are in front of what all iterations run. */
#include "lower/lower.h"

#include "tree/visit.h"

/* The loops around. */
struct around {
    const struct node *loop;
    const struct around *outer;
};

/* Rows v of the loop in iteration t = first, row `last` in all others. */
struct joining {
    struct arena *arena;
    const struct var *t, *v;
    const struct affine *first; /* value of t */
    const struct affine *last;
};

static const struct affine *in_first(const struct joining *joining, const struct affine *a)
{
    return affine_substitute(joining->arena, a, joining->t, joining->first);
}

/* What is `one` in row `last`, and `each` in row v of the first iteration; NULL: nothing is. */
static const struct affine *generalised(const struct joining *joining, const struct affine *one,
                                        const struct affine *each)
{
    struct arena *arena = joining->arena;
    const struct affine *v = affine_var(arena, joining->v), *result;
    int64_t factor;

    if (!affine_linear_factor(arena, each, joining->v, &factor))
        return NULL;
    result = affine_combine(arena, one, 1, affine_sub(arena, v, joining->last), factor);
    return result && affine_equal(in_first(joining, result), in_first(joining, each)) ? result : NULL;
}

static const struct affine *const *generalised_all(const struct joining *joining, const struct affine *const *one,
                                                   const struct affine *const *each, int n)
{
    const struct affine **result = ARENA_ARRAY(joining->arena, n + 1, const struct affine *);

    for (int k = 0; k < n; k++) {
        result[k] = generalised(joining, one[k], each[k]);
        if (!result[k])
            return NULL;
    }
    return result;
}

/* Sets the row's number, which an argument of a statement is in `each`. */
static void find_last(struct joining *joining, const struct node *one, const struct node *each)
{
    while (one->kind == each->kind && one->kind != NODE_STATEMENT && one->n_child > 0 && each->n_child > 0) {
        one = one->child[0];
        each = each->child[0];
    }
    if (one->kind != NODE_STATEMENT || one->statement != each->statement)
        return;
    for (int k = 0; k < one->statement->n_loop && !joining->last; k++)
        if (affine_equal(each->argument[k], affine_var(joining->arena, joining->v)))
            joining->last = one->argument[k];
}

static const struct node *both(const struct joining *joining, const struct node *one, const struct node *each);

/* Loops of the same origin: the second one's variable is the first one's in `each`. */
static const struct node *both_loops(const struct joining *joining, const struct node *one, const struct node *each)
{
    struct arena *arena = joining->arena;
    const struct affine *lower = generalised(joining, one->lower, each->lower);
    const struct affine *upper = generalised(joining, one->upper, each->upper);
    const struct node *body;

    if (one->info != each->info || one->step != each->step || !lower || !upper)
        return NULL;
    body = node_substitute(arena, each->child[0], each->var, affine_var(arena, one->var));
    body = body ? both(joining, one->child[0], body) : NULL;
    return body ? node_with_bounds(arena, node_with_body(arena, one, body), lower, upper) : NULL;
}

static const struct node *both_ifs(const struct joining *joining, const struct node *one, const struct node *each)
{
    struct guard *alternative = ARENA_ARRAY(joining->arena, one->n_alternative + 1, struct guard);
    const struct node *body = both(joining, one->child[0], each->child[0]);

    if (one->n_child > 1 || each->n_child > 1 || one->n_alternative != each->n_alternative)
        return NULL;
    for (int a = 0; a < one->n_alternative; a++) {
        const struct guard *own = &one->alternative[a], *other = &each->alternative[a];
        struct condition *condition = ARENA_ARRAY(joining->arena, own->n + 1, struct condition);
        alternative[a] = (struct guard){condition, own->n};
        for (int k = 0; k < own->n; k++) {
            if (own->n != other->n || own->condition[k].equal != other->condition[k].equal)
                return NULL;
            condition[k] =
                (struct condition){generalised(joining, own->condition[k].affine, other->condition[k].affine),
                                   own->condition[k].equal};
            if (!condition[k].affine)
                return NULL;
        }
    }
    return body ? node_if(joining->arena, alternative, one->n_alternative, body) : NULL;
}

static const struct node *both_blocks(const struct joining *joining, const struct node *one, const struct node *each)
{
    const struct node **child = ARENA_ARRAY(joining->arena, one->n_child + 1, const struct node *);

    for (int k = 0; k < one->n_child; k++) {
        child[k] = one->n_child == each->n_child ? both(joining, one->child[k], each->child[k]) : NULL;
        if (!child[k])
            return NULL;
    }
    return node_block_like(joining->arena, one, child, one->n_child);
}

/* What is `one` in row `last`, and `each` in row v of the first iteration; NULL: nothing is. */
static const struct node *both(const struct joining *joining, const struct node *one, const struct node *each)
{
    const struct affine *const *argument;

    if (one->kind != each->kind)
        return NULL;
    switch (one->kind) {
    case NODE_LOOP:
        return both_loops(joining, one, each);
    case NODE_IF:
        return both_ifs(joining, one, each);
    case NODE_BLOCK:
        return both_blocks(joining, one, each);
    case NODE_STATEMENT:
        if (one->statement != each->statement)
            return NULL;
        argument = generalised_all(joining, one->argument, each->argument, one->statement->n_loop);
        return argument ? node_statement(joining->arena, one->statement, argument) : NULL;
    default:
        return NULL;
    }
}

/* The loop around of which the condition says that its iteration is the first one, or, if `later`, that it is not. */
static const struct node *loop_of(struct arena *arena, const struct around *around, const struct node *node, bool later)
{
    const struct condition *condition;

    if (node->kind != NODE_IF || node->n_child > 1 || node->n_alternative != 1 || node->alternative->n != 1)
        return NULL;
    condition = node->alternative->condition;
    for (; around; around = around->outer) {
        const struct node *loop = around->loop;
        const struct affine *more = affine_sub(arena, affine_var(arena, loop->var), loop->lower);
        const struct affine *less = affine_scale(arena, more, -1);
        if (loop->step != 1 || loop->axis != AXIS_NONE)
            continue;
        if (later
                ? affine_equal(condition->affine, affine_add_constant(arena, more, -1))
                : affine_equal(condition->affine, less) || (condition->equal && affine_equal(condition->affine, more)))
            return loop;
    }
    return NULL;
}

/* The row's loop, in all iterations: from `rows`, which the first one goes through before what `one` runs, if `behind`,
 * or in its place. NULL: they do not join. */
static const struct node *joined(struct joining *joining, const struct node *rows, const struct node *one, bool behind)
{
    struct arena *arena = joining->arena;
    const struct affine *later = affine_sub(arena, affine_var(arena, joining->t), joining->first), *bound[2];
    const struct affine *first = in_first(joining, rows->lower), *upper = in_first(joining, rows->upper);
    const struct node *body;
    int64_t more, each;

    find_last(joining, one, rows->child[0]);
    if (!joining->last || !affine_linear_factor(arena, joining->last, joining->t, &each) ||
        !affine_is_constant(affine_sub(arena, in_first(joining, joining->last), first), &more) || more < 1 ||
        !affine_equal(affine_add_constant(arena, upper, behind), in_first(joining, joining->last)))
        return NULL;
    body = both(joining, one, rows->child[0]);
    bound[0] = affine_combine(arena, first, 1, later, each + more);
    bound[1] = joining->last;
    if (!body || !bound[0])
        return NULL;
    body = node_with_bounds(arena, node_with_body(arena, rows, body), affine_extreme(arena, ATOM_MIN, bound, 2),
                            joining->last);
    return body->comment ? body
                         : node_with_comment(arena, body, "all that the first iteration needs, then one for each");
}

/* A loop that may have other iterations: nothing in the plan is about it. */
static bool is_free(const struct node *loop)
{
    return loop->kind == NODE_LOOP && loop->step == 1 && !loop->threads && loop->axis == AXIS_NONE &&
           !loop->continues && loop->info && !loop->info->plan;
}

/* The node in the place of these neighbours; NULL: both stay. */
static const struct node *join(struct arena *arena, const struct around *around, const struct node *front,
                               const struct node *next)
{
    const struct node *loop = loop_of(arena, around, front, false), *rows = loop ? front->child[0] : NULL, *one = next;
    bool behind = loop != NULL;
    struct joining joining;

    if (loop && loop_of(arena, around, next, true) == loop) {
        one = next->child[0];
        behind = false;
    } else if (!loop) {
        loop = loop_of(arena, around, front, true);
        if (!loop || loop_of(arena, around, next, false) != loop)
            return NULL;
        rows = next->child[0];
        one = front->child[0];
    }
    joining = (struct joining){.arena = arena, .t = loop->var, .v = rows->var, .first = loop->lower};
    return is_free(rows) ? joined(&joining, rows, one, behind) : NULL;
}

static const struct node *walk(struct arena *arena, const struct around *around, const struct node *node)
{
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);
    const struct around own = {node, around};
    int n = 0;

    for (int k = 0; k < node->n_child; k++) {
        const struct node *next = walk(arena, node->kind == NODE_LOOP ? &own : around, node->child[k]);
        const struct node *one = node->kind == NODE_BLOCK && n > 0 ? join(arena, around, child[n - 1], next) : NULL;
        n -= one != NULL;
        child[n++] = one ? one : next;
    }
    if (node->n_child == 0)
        return node;
    return node->kind == NODE_BLOCK ? node_block_like(arena, node, child, n) : node_with_children(arena, node, child);
}

const struct node *lower_join(struct lowering *lowering, const struct node *tree)
{
    return walk(lowering->arena, NULL, tree);
}
