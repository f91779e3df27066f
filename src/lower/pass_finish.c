/* Pass "finish": the facts that printers need. Loop variables proved to fit an int are marked, and floor
 * divisions of what is never negative, which C's `/` and `%` round the same way. */
#include "lower/facts.h"

#include "tree/visit.h"

/* Bounds that leave room for the arithmetic of subscripts in int. */
enum { NARROW = 1 << 24 };

static bool non_negative(void *user, const struct affine *a)
{
    return facts_imply(user, a);
}

static const struct affine *mark_plain(struct arena *arena, const struct affine *a, void *user)
{
    return affine_mark_plain(arena, a, non_negative, user);
}

/* Every value of the loop is within +-NARROW. */
static bool is_narrow(const struct facts *inside, const struct node *loop)
{
    struct arena *arena = inside->lowering->arena;
    const struct affine *var = affine_var(arena, loop->var);

    return facts_imply(inside, affine_add_constant(arena, affine_scale(arena, var, -1), NARROW)) &&
           facts_imply(inside, affine_add_constant(arena, var, NARROW));
}

static void constant_range(const struct node *loop, struct var *var)
{
    int64_t first, last;

    if (!affine_is_constant(loop->lower, &first) || !affine_is_constant(loop->upper, &last))
        return;
    var->low = first < last ? first : last;
    var->high = first < last ? last : first;
}

/* Only an inner part, or a loop with constant bounds, is worth asking about. */
static bool may_be_narrow(const struct node *loop)
{
    return loop->info->outer || (affine_is_constant(loop->lower, NULL) && affine_is_constant(loop->upper, NULL));
}

static const struct node *finish(const struct facts *facts, const struct node *node);

/* A copy of a loop or value with a variable of its own, numbered from the outside in: terms of subscripts are
 * printed in that order. */
static struct node *renumbered(struct lowering *lowering, const struct node *node, struct var **var)
{
    struct node *copy = ARENA_NEW(lowering->arena, struct node);
    const struct node **child = ARENA_ARRAY(lowering->arena, 1, const struct node *);

    *var = lower_new_var(lowering, node->var->kind, node->var->name);
    child[0] = node_substitute(lowering->arena, node->child[0], node->var, affine_var(lowering->arena, *var));
    *copy = *node;
    copy->var = *var;
    copy->child = child;
    return child[0] ? copy : NULL;
}

static const struct node *finish_loop(const struct facts *facts, const struct node *node)
{
    struct facts inside = facts_copy(facts);
    struct var *var;
    const struct node *loop = renumbered(facts->lowering, node, &var), *body = NULL;

    if (loop) {
        facts_enter_loop(&inside, loop);
        var->narrow = may_be_narrow(loop) && is_narrow(&inside, loop);
        if (var->narrow)
            constant_range(loop, var);
        body = finish(&inside, loop->child[0]);
    }
    facts_free(&inside);
    return body ? node_with_body(facts->lowering->arena, loop, body) : NULL;
}

static const struct node *finish_value(const struct facts *facts, const struct node *node)
{
    struct facts inside = facts_copy(facts);
    struct var *var;
    const struct node *value = renumbered(facts->lowering, node, &var), *body = NULL;

    if (value) {
        facts_enter_value(&inside, value);
        body = finish(&inside, value->child[0]);
    }
    facts_free(&inside);
    return body ? node_with_body(facts->lowering->arena, value, body) : NULL;
}

static const struct node *finish_children(const struct facts *facts, const struct node *node)
{
    const struct node **child = ARENA_ARRAY(facts->lowering->arena, node->n_child + 1, const struct node *);
    struct facts inside = facts_copy(facts);

    if (node->kind == NODE_IF)
        facts_assume_guards(&inside, node->alternative, node->n_alternative);
    for (int k = 0; k < node->n_child; k++)
        child[k] = finish(&inside, node->child[k]);
    facts_free(&inside);
    for (int k = 0; k < node->n_child; k++)
        if (!child[k])
            return NULL;
    return node_with_children(facts->lowering->arena, node, child);
}

static const struct node *finish(const struct facts *facts, const struct node *node)
{
    node = node_map_own(facts->lowering->arena, node, mark_plain, (void *)(uintptr_t)facts);
    if (!node || node->n_child == 0)
        return node;
    if (node->kind == NODE_LOOP)
        return finish_loop(facts, node);
    return node->kind == NODE_VALUE ? finish_value(facts, node) : finish_children(facts, node);
}

const struct node *lower_finish(struct lowering *lowering, const struct node *tree)
{
    struct facts facts = facts_of_program(lowering);
    const struct node *finished = finish(&facts, tree);

    facts_free(&facts);
    return finished;
}
