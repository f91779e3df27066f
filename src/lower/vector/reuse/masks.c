#include "lower/vector/reuse/masks.h"

/* A longer loop makes its masks itself. */
enum { MASKS_MAX = 8 };

static bool has_literal_bounds(const struct node *loop, int64_t *n)
{
    int64_t first, last;

    if (loop->kind != NODE_LOOP || loop->step < 1 || !affine_is_constant(loop->lower, &first) ||
        !affine_is_constant(loop->upper, &last))
        return false;
    *n = last < first ? 0 : (last - first) / loop->step + 1;
    return true;
}

const struct node *masks_loop(const struct node *const *loop, int n_loop, const struct affine *count, int64_t *n,
                              bool *repeated)
{
    const struct node *found = NULL;
    int loops = 0;

    for (int k = 0; k < n_loop; k++) {
        loops += loop[k]->kind == NODE_LOOP || loop[k]->kind == NODE_TUPLE;
        for (int p = 0; p < loop[k]->n_part; p++)
            if (affine_uses(count, loop[k]->part[p].var))
                return NULL;
        if (!affine_uses(count, loop[k]->var))
            continue;
        if (found || !has_literal_bounds(loop[k], n) || *n < 2 || *n > MASKS_MAX)
            return NULL;
        found = loop[k];
    }
    *repeated = loops > 1;
    return found;
}

const struct affine *const *masks_counts(struct arena *arena, const struct affine *count, const struct node *loop,
                                         int64_t n)
{
    const struct affine **each = ARENA_ARRAY(arena, n, const struct affine *);

    for (int64_t k = 0; k < n; k++) {
        const struct affine *value = affine_add_constant(arena, loop->lower, k * loop->step);
        each[k] = value ? affine_substitute(arena, count, loop->var, value) : NULL;
        if (!each[k])
            return NULL;
    }
    return each;
}

static bool never_negative(void *user, const struct affine *a)
{
    (void)user;
    (void)a;
    return true;
}

const struct affine *masks_place(struct arena *arena, const struct node *loop)
{
    const struct affine *steps = affine_sub(arena, affine_var(arena, loop->var), loop->lower);

    return affine_mark_plain(arena, affine_floor(arena, steps, loop->step), never_negative, NULL);
}

bool masks_same_lanes(const struct vector *a, const struct vector *b)
{
    return a->lanes == b->lanes && affine_equal(a->count, b->count);
}
