#include "lower/facts/descend.h"

#include "tree/visit.h"

const struct node *descend(const struct facts *facts, const struct node *node, descend_function *function, void *user)
{
    struct arena *arena = facts->lowering->arena;
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);

    for (int k = 0; k < node->n_child; k++) {
        struct facts inside = *facts;
        facts_enter(&inside, node, k);
        child[k] = function(&inside, node->child[k], user);
        if (!child[k])
            return NULL;
    }
    return node->n_child ? node_with_children(arena, node, child) : node;
}
