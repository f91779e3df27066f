#include "lower/device/rounds.h"

#include "program/program.h"
#include "tree/visit.h"

/* A subscript, and what is to take its place. */
struct counted {
    const struct affine *number, *count;
};

static struct element with_count(struct arena *arena, const struct element *element, void *user)
{
    const struct counted *counted = user;
    const int n = element->array ? element->array->n_dim : 0;
    const struct affine **index = ARENA_ARRAY(arena, n + 1, const struct affine *);
    struct element result = *element;

    for (int k = 0; k < n; k++)
        index[k] = affine_equal(element->index[k], counted->number) ? counted->count : element->index[k];
    result.index = index;
    return result;
}

/* node with the count in the place of subscripts that are the number. */
static const struct node *counting(struct arena *arena, const struct node *node, struct counted *counted)
{
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);

    for (int k = 0; k < node->n_child; k++)
        child[k] = counting(arena, node->child[k], counted);
    node = node_with_children(arena, node, child);
    return node->kind == NODE_ASSIGN ? node_map_elements(arena, node, with_count, counted) : node;
}

const struct affine *rounds_value(struct arena *arena, const struct rounds *rounds)
{
    return affine_combine(arena, affine_var(arena, rounds->thread), rounds->in_a_row ? rounds->n : 1,
                          affine_var(arena, rounds->count), rounds->in_a_row ? 1 : rounds->threads);
}

/* The count as subscripts have it that are made of the number. */
static const struct affine *count_of(struct arena *arena, const struct rounds *rounds)
{
    return rounds->in_a_row ? affine_mod(arena, rounds->value, rounds->n)
                            : affine_floor(arena, rounds->value, rounds->threads);
}

const struct node *rounds_around(struct arena *arena, const struct rounds *rounds, const struct node *body)
{
    const struct affine *count = affine_var(arena, rounds->count);
    struct counted counted = {count_of(arena, rounds), count};
    struct node *loop = ARENA_NEW(arena, struct node);

    *loop = *rounds->loop;
    loop->var = rounds->count;
    loop->lower = affine_constant(arena, 0);
    loop->upper = affine_constant(arena, rounds->n - 1);
    loop->step = 1;
    loop->axis = AXIS_NONE;
    loop->unroll = rounds->literal ? rounds->n : 0;
    body = counting(arena, body, &counted);
    body = node_value_if_used(arena, rounds->number, rounds_value(arena, rounds), body);
    return node_with_body(arena, loop, body);
}
