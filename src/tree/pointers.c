#include "tree/pointers.h"

#include "base/vec.h"
#include "program/program.h"
#include "tree/visit.h"

/* The pointers around, outermost first. */
struct pointers {
    struct arena *arena;
    VEC(const struct node *) around;
    bool failed;
};

static struct element from_array(struct arena *arena, const struct element *element, void *user)
{
    struct pointers *pointers = user;
    const struct element *start = NULL;
    struct element whole = *element;

    for (int k = pointers->around.n - 1; k >= 0 && element->base && !start; k--)
        if (pointers->around.at[k]->var == element->base)
            start = &pointers->around.at[k]->target;
    if (!start)
        return whole;
    const struct affine **index = ARENA_ARRAY(arena, element->array->n_dim + 1, const struct affine *);
    for (int dim = 0; dim < element->array->n_dim; dim++) {
        index[dim] = affine_add(arena, start->index[dim], element->index[dim]);
        pointers->failed |= !index[dim];
    }
    whole.index = pointers->failed ? element->index : index;
    whole.base = NULL;
    return whole;
}

static const struct node *resolved(struct pointers *pointers, const struct node *node)
{
    struct arena *arena = pointers->arena;
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);
    const bool points = node->kind == NODE_POINTER;

    if (pointers->around.n > 0)
        node = node_map_elements(arena, node, from_array, pointers);
    if (points)
        VEC_PUSH(arena, &pointers->around, node);
    for (int k = 0; k < node->n_child; k++)
        child[k] = resolved(pointers, node->child[k]);
    if (node->computes)
        node = node_with_computes(arena, node, resolved(pointers, node->computes));
    pointers->around.n -= points;
    return points ? child[0] : node_with_children(arena, node, child);
}

static void look_for_pointer(const struct node *node, void *user)
{
    *(bool *)user |= node->kind == NODE_POINTER;
}

const struct node *node_without_pointers(struct arena *arena, const struct node *node)
{
    struct pointers pointers = {.arena = arena};
    const struct node *whole;
    bool any = false;

    node_for_each(node, look_for_pointer, &any);
    if (!any)
        return node;
    whole = resolved(&pointers, node);
    return pointers.failed ? node : whole;
}
