#include "target/clike/nodes/prefetch.h"

#include "target/clike/storage.h"

static const char *place_of(struct emitter *emitter, const struct element *element)
{
    enum precedence precedence;

    return arena_printf(emitter->arena, "&%s", element_text(emitter, element, &precedence));
}

static const char *further(struct emitter *emitter, const struct array *array, const char *place, const char *step)
{
    return arena_printf(emitter->arena, "%s(%s, %s)", helper_use(&emitter->helpers, HELPER_FURTHER, array->type), place,
                        step);
}

/* The first element of the array of a PREFETCH node, and in *then how far from it the node's element is. */
static struct element from_start(struct emitter *emitter, const struct node *node, struct element *then)
{
    struct arena *arena = emitter->arena;
    const int n = node->target.array->n_dim;
    const struct affine **zero = ARENA_ARRAY(arena, n, const struct affine *);
    const struct affine **index = ARENA_ARRAY(arena, n, const struct affine *);
    struct element start = node->target;

    *then = node->target;
    for (int k = 0; k < n; k++) {
        zero[k] = affine_constant(arena, 0);
        index[k] = affine_add_constant(arena, node->target.index[k], node->further ? node->further[k] : 0);
    }
    start.index = zero;
    then->index = index;
    return start;
}

/* "&A[i * K + k]", "further(&A[i * K + k], 8)", "further(&b[0], i + 8)" */
static const char *prefetched_text(struct emitter *emitter, const struct node *node)
{
    const struct array *array = node->target.array;

    if (element_may_leave(emitter, &node->target)) {
        struct element then;
        const struct element start = from_start(emitter, node, &then);
        return further(emitter, array, place_of(emitter, &start), element_place_text(emitter, &then));
    }
    return node->further ? further(emitter, array, place_of(emitter, &node->target),
                                   element_step_text(emitter, array, node->further))
                         : place_of(emitter, &node->target);
}

void prefetch_print(struct emitter *emitter, const struct node *node)
{
    const char *place = prefetched_text(emitter, node);

    if (!node->will_write && node->locality == 3)
        write_linef(&emitter->writer, "__builtin_prefetch(%s);", place);
    else
        write_linef(&emitter->writer, "__builtin_prefetch(%s, %d, %d);", place, node->will_write, node->locality);
}
