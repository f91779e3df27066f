#include "lower/vector/reuse/strip.h"

#include "lower/lower.h"
#include "tree/visit.h"

static bool has_literal_bounds(const struct node *loop)
{
    return affine_is_constant(loop->lower, NULL) && affine_is_constant(loop->upper, NULL);
}

struct inside {
    bool has_vectors, has_loops;
};

static void look_at(const struct node *node, void *user)
{
    struct inside *inside = user;

    inside->has_vectors |= node->vector != NULL;
    inside->has_loops |= (node->kind == NODE_LOOP && !has_literal_bounds(node)) || node->kind == NODE_TUPLE ||
                         node->kind == NODE_CALL || node->kind == NODE_REGION;
}

bool strip_is(const struct node *const *loop, int n)
{
    struct inside inside = {false, false};

    for (int k = 0; k < n; k++) {
        if (loop[k]->kind != NODE_LOOP || loop[k]->threads || lower_is_inner(loop[k]) || has_literal_bounds(loop[k]))
            return false;
        node_for_each(loop[k]->child[0], look_at, &inside);
    }
    return inside.has_vectors && !inside.has_loops;
}

int strip_length(const struct node *const *node, int n)
{
    int loops = 1;

    while (loops < n && node[loops]->continues)
        loops++;
    return loops;
}

static void look_for_threads(const struct node *node, void *user)
{
    *(bool *)user |= node->threads != NULL;
}

bool strip_has_threads(const struct node *node)
{
    bool found = false;

    node_for_each(node, look_for_threads, &found);
    return found;
}
