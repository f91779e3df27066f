#include "lower/tiles/rest.h"

#include "lower/facts/bound.h"
#include "tree/visit.h"

#include <stdlib.h>

/* Is inner the part of outer whose values are added to outer's? (The parts of `factors` are not: 16 * j_0 + j_1.) */
static bool is_inner_part(const struct node *outer, const struct node *inner)
{
    return inner->kind == NODE_LOOP && inner->info->outer == outer->info->id &&
           llabs(outer->info->stride) > llabs(inner->info->stride);
}

static struct node *as_rest(struct arena *arena, const struct node *loop, const char *comment)
{
    struct node *copy = ARENA_NEW(arena, struct node);

    *copy = *loop;
    copy->comment = comment;
    copy->rest = true;
    return copy;
}

/* inner over values: its variable becomes first + inner (or first - inner, when outer descends). */
static const struct node *over_values(struct lowering *lowering, const struct node *outer, const struct node *inner)
{
    struct arena *arena = lowering->arena;
    const int sign = outer->step < 0 ? -1 : 1;
    const struct var *value = lower_new_var(lowering, VAR_LOOP, outer->var->name);
    const struct affine *position = affine_sub(arena, affine_var(arena, value), outer->lower);
    const struct affine *first, *last;
    const struct node *loop, *body;
    struct node *rest;

    body = node_substitute(arena, inner->child[0], inner->var, affine_scale(arena, position, sign));
    body = body ? node_substitute(arena, body, outer->var, outer->lower) : NULL;
    first = affine_substitute(arena, inner->lower, outer->var, outer->lower);
    last = affine_substitute(arena, inner->upper, outer->var, outer->lower);
    if (!body || !first || !last)
        return NULL;
    first = bound_add(arena, bound_scale(arena, first, sign), outer->lower);
    last = bound_add(arena, bound_scale(arena, last, sign), outer->lower);
    loop = node_loop(arena, value, first, last, sign * inner->step, inner->info, body);
    rest = loop ? as_rest(arena, loop, inner->comment) : NULL;
    if (rest)
        rest->over_values = true;
    return rest;
}

static const struct node *rename_parts(struct lowering *lowering, const struct node *outer, const struct node *node)
{
    const struct node **child;

    if (is_inner_part(outer, node))
        return over_values(lowering, outer, node);
    if (node->n_child == 0)
        return node;
    child = ARENA_ARRAY(lowering->arena, node->n_child, const struct node *);
    for (int k = 0; k < node->n_child; k++) {
        child[k] = rename_parts(lowering, outer, node->child[k]);
        if (!child[k])
            return NULL;
    }
    return node_with_children(lowering->arena, node, child);
}

/* The inner parts, somewhere below, of the loop with this identity are rests. */
static const struct node *with_rests(struct arena *arena, int id, const struct node *node)
{
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);

    for (int k = 0; k < node->n_child; k++)
        child[k] = with_rests(arena, id, node->child[k]);
    if (node->n_child > 0)
        node = node_with_children(arena, node, child);
    return node && node->kind == NODE_LOOP && node->info->outer == id ? as_rest(arena, node, node->comment) : node;
}

const struct node *rest_over_values(struct lowering *lowering, const struct node *loop)
{
    const struct node *body = loop->child[0];

    if (affine_is_constant(loop->lower, NULL))
        return rename_parts(lowering, loop, body);
    return is_inner_part(loop, body) ? over_values(lowering, loop, body)
                                     : with_rests(lowering->arena, loop->info->id, body);
}

static void enter(struct facts *facts, const struct node *node)
{
    if (node->kind == NODE_LOOP)
        facts_enter_loop(facts, node);
    else if (node->kind == NODE_VALUE)
        facts_enter_value(facts, node);
    else if (node->kind == NODE_IF)
        facts_enter_branch(facts, node, 0);
}

bool idle(const struct facts *facts, const struct node *node)
{
    struct facts inside;
    bool is = true;

    if (node->kind == NODE_STATEMENT)
        return false;
    inside = *facts;
    enter(&inside, node);
    for (int k = 0; k < node->n_child && is; k++)
        is = (node->kind != NODE_BLOCK && !facts_possible(&inside)) || idle(&inside, node->child[k]);
    return is;
}

bool idle_otherwise(const struct facts *facts, const struct condition *condition, const struct node *node)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *not = affine_add_constant(arena, affine_scale(arena, condition->affine, -1), -1);
    struct facts otherwise;
    bool is;

    if (!not )
        return false;
    otherwise = *facts;
    facts_assume(&otherwise, not );
    is = !facts_possible(&otherwise) || idle(&otherwise, node);
    return is;
}
