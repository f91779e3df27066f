#include "lower/body/flat.h"

#include "lower/facts/relation.h"
#include "tree/layout.h"
#include "tree/visit.h"

#include <string.h>

/* The subscripts of one element, slowest dimension first. */
struct subscripts {
    const struct surroundings *around;
    const struct affine **index; /* in the array's own dimensions */
    int *order;                  /* its dimensions, see array_steps */
    int64_t *ratio;
    int n;
};

/* Does a divide, also in what the names in it stand for? */
static bool divides(const struct surroundings *around, const struct affine *a)
{
    const struct affine *expanded = surroundings_expand(around, a);

    return affine_has_moving_floor(a) || !expanded || affine_has_moving_floor(expanded);
}

/* Subscripts first..last counted in steps of the last one. */
static const struct affine *joined(const struct subscripts *subscripts, int first, int last)
{
    struct arena *arena = subscripts->around->facts->lowering->arena;
    const struct affine *sum = subscripts->index[subscripts->order[first]];

    for (int k = first + 1; k <= last; k++)
        sum =
            affine_add(arena, affine_scale(arena, sum, subscripts->ratio[k]), subscripts->index[subscripts->order[k]]);
    return sum;
}

/* a without divisions; NULL where there is no such form. */
static const struct affine *undivided(const struct surroundings *around, const struct affine *a)
{
    struct arena *arena = around->facts->lowering->arena;
    const struct affine *folded = affine_fold_floors(arena, a);

    if (folded && !divides(around, folded))
        return folded;
    a = surroundings_name(around, relation_linear(around->facts, a));
    return a && !divides(around, a) ? a : NULL;
}

static bool any_divides(const struct subscripts *subscripts, int first, int last)
{
    for (int k = first; k <= last; k++)
        if (divides(subscripts->around, subscripts->index[subscripts->order[k]]))
            return true;
    return false;
}

/* Joins first..last into the last of them, if they divide and their sum need not. */
static bool join(struct subscripts *subscripts, int first, int last)
{
    struct arena *arena = subscripts->around->facts->lowering->arena;
    const struct affine *sum;

    if (!any_divides(subscripts, first, last))
        return false;
    sum = joined(subscripts, first, last);
    sum = sum ? undivided(subscripts->around, sum) : NULL;
    if (!sum)
        return false;
    for (int k = first; k < last; k++)
        subscripts->index[subscripts->order[k]] = affine_constant(arena, 0);
    subscripts->index[subscripts->order[last]] = sum;
    return true;
}

/* Can first..last be counted in steps of the last one? */
static bool are_related(const struct subscripts *subscripts, int first, int last)
{
    for (int k = first; k <= last; k++)
        if (!subscripts->index[subscripts->order[k]] || (k > first && subscripts->ratio[k] == 0))
            return false;
    return true;
}

static bool join_length(struct subscripts *subscripts, int length, bool ends_divide)
{
    bool changed = false;

    for (int first = 0; first + length <= subscripts->n; first++) {
        const int last = first + length - 1;
        if (are_related(subscripts, first, last) &&
            (!ends_divide || (any_divides(subscripts, first, first) && any_divides(subscripts, last, last))))
            changed = join(subscripts, first, last) || changed;
    }
    return changed;
}

/* Those that divide together; then as few others with them as will do. longest: how many may become one. */
static bool join_any(struct subscripts *subscripts, int longest)
{
    bool changed = false;

    for (int length = longest; length > 0; length--)
        changed = join_length(subscripts, length, true) || changed;
    for (int length = 2; length <= longest; length++)
        changed = join_length(subscripts, length, false) || changed;
    return changed;
}

static struct element flatten(struct arena *arena, const struct element *element, void *user)
{
    const struct surroundings *around = user;
    const struct lowering *lowering = around->facts->lowering;
    const struct array *array = element->array;
    const struct scope parameters = {lowering->program, lowering->param_var, NULL};
    const int n = array->n_dim;
    struct subscripts subscripts = {around, ARENA_ARRAY(arena, n, const struct affine *), ARENA_ARRAY(arena, n, int),
                                    ARENA_ARRAY(arena, n, int64_t), n};
    struct element flat = *element;

    memcpy(subscripts.index, element->index, (size_t)n * sizeof(*subscripts.index));
    array_steps(arena, &parameters, array, subscripts.order, subscripts.ratio);
    if (join_any(&subscripts, array_may_have_rows(arena, &parameters, array) ? 1 : n))
        flat.index = subscripts.index;
    return flat;
}

const struct node *flat_subscripts(const struct surroundings *around, const struct node *assign)
{
    return node_map_elements(around->facts->lowering->arena, assign, flatten, (void *)(uintptr_t)around);
}
