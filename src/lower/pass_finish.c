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

static const struct node *finish_loop(const struct facts *facts, const struct node *loop)
{
    struct arena *arena = facts->lowering->arena;
    struct facts inside = facts_copy(facts);
    const struct node *body = loop->child[0];
    struct var *var;

    facts_enter_loop(&inside, loop);
    if (may_be_narrow(loop) && is_narrow(&inside, loop)) {
        struct node *renamed = ARENA_NEW(arena, struct node);
        var = lower_new_var(facts->lowering, VAR_LOOP, loop->var->name);
        var->narrow = true;
        constant_range(loop, var);
        body = node_substitute(arena, body, loop->var, affine_var(arena, var));
        *renamed = *loop;
        renamed->var = var;
        loop = renamed;
        facts_free(&inside);
        inside = facts_copy(facts);
        facts_enter_loop(&inside, loop);
    }
    body = body ? finish(&inside, body) : NULL;
    facts_free(&inside);
    return body ? node_with_body(arena, loop, body) : NULL;
}

static const struct node *finish_children(const struct facts *facts, const struct node *node)
{
    const struct node **child = ARENA_ARRAY(facts->lowering->arena, node->n_child + 1, const struct node *);
    struct facts inside = facts_copy(facts);

    if (node->kind == NODE_VALUE)
        facts_enter_value(&inside, node);
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
    return node->kind == NODE_LOOP ? finish_loop(facts, node) : finish_children(facts, node);
}

const struct node *lower_finish(struct lowering *lowering, const struct node *tree)
{
    struct facts facts = facts_of_program(lowering);
    const struct node *finished = finish(&facts, tree);

    facts_free(&facts);
    return finished;
}
