#include "lower/facts/mark.h"

#include "tree/visit.h"

static bool non_negative(void *user, const struct affine *a)
{
    return facts_imply(user, a);
}

static const struct affine *mark_plain(struct arena *arena, const struct affine *a, void *user)
{
    return affine_mark_plain(arena, a, non_negative, user);
}

static const struct node *mark_alternative(const struct facts *facts, const struct node *node)
{
    struct arena *arena = facts->lowering->arena;
    const struct guard *guard = &node->alternative[0];
    struct condition *condition = ARENA_ARRAY(arena, guard->n, struct condition);
    struct guard *marked = ARENA_NEW(arena, struct guard);
    struct node *copy;
    struct facts so_far = *facts;
    bool failed = false;

    for (int k = 0; k < guard->n; k++) {
        condition[k] = guard->condition[k];
        condition[k].affine = mark_plain(arena, guard->condition[k].affine, &so_far);
        failed = failed || !condition[k].affine;
        facts_assume_condition(&so_far, &guard->condition[k]);
    }
    *marked = (struct guard){condition, guard->n};
    if (failed)
        return NULL;
    copy = ARENA_NEW(arena, struct node);
    *copy = *node;
    copy->alternative = marked;
    return copy;
}

const struct node *mark_own_plain(const struct facts *facts, const struct node *node)
{
    if (node->kind != NODE_IF || node->n_alternative != 1)
        return node_map_own(facts->lowering->arena, node, mark_plain, (void *)(uintptr_t)facts);
    return mark_alternative(facts, node);
}
