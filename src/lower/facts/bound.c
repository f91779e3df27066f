#include "lower/facts/bound.h"

int bound_args(struct arena *arena, const struct affine *bound, const struct affine *const **arg, enum atom_kind *kind)
{
    const int64_t factor = bound->n_term == 1 ? bound->term[0].factor : 0;
    const struct atom *atom = factor == 1 || factor == -1 ? bound->term[0].atom : NULL;
    const bool extreme = atom && (atom->kind == ATOM_MIN || atom->kind == ATOM_MAX);
    const int n = extreme ? atom->n_arg : 1;
    const struct affine **list = ARENA_ARRAY(arena, n, const struct affine *);

    for (int k = 0; k < n; k++)
        list[k] = !extreme      ? bound
                  : factor == 1 ? affine_add_constant(arena, atom->arg[k], bound->constant)
                                : affine_add_constant(arena, affine_scale(arena, atom->arg[k], -1), bound->constant);
    *arg = list;
    *kind = !extreme ? ATOM_VAR : (atom->kind == ATOM_MIN) == (factor == 1) ? ATOM_MIN : ATOM_MAX;
    return n;
}

const struct affine *bound_add(struct arena *arena, const struct affine *bound, const struct affine *offset)
{
    const struct affine *const *arg;
    const struct affine **moved;
    enum atom_kind kind;
    int n;

    if (!bound || !offset)
        return NULL;
    n = bound_args(arena, bound, &arg, &kind);
    if (kind == ATOM_VAR)
        return affine_add(arena, bound, offset);
    moved = ARENA_ARRAY(arena, n, const struct affine *);
    for (int k = 0; k < n; k++)
        moved[k] = affine_add(arena, arg[k], offset);
    return affine_extreme(arena, kind, moved, n);
}

const struct affine *bound_scale_by(struct arena *arena, const struct affine *bound, int64_t factor,
                                    const struct affine *(*scale)(struct arena *, const struct affine *, int64_t))
{
    const struct affine *const *arg;
    const struct affine **scaled;
    enum atom_kind kind;
    int n;

    if (!bound)
        return NULL;
    n = bound_args(arena, bound, &arg, &kind);
    if (kind == ATOM_VAR)
        return scale(arena, bound, factor);
    if (factor < 0)
        kind = kind == ATOM_MIN ? ATOM_MAX : ATOM_MIN;
    scaled = ARENA_ARRAY(arena, n, const struct affine *);
    for (int k = 0; k < n; k++)
        scaled[k] = scale(arena, arg[k], factor);
    return affine_extreme(arena, kind, scaled, n);
}

const struct affine *bound_scale(struct arena *arena, const struct affine *bound, int64_t factor)
{
    return bound_scale_by(arena, bound, factor, affine_scale);
}

bool bound_apart(struct arena *arena, const struct affine *a, const struct affine *b, int64_t *distance)
{
    const struct affine *const *first, *const *second, *difference, *moved;
    enum atom_kind kind;

    bound_args(arena, a, &first, &kind);
    bound_args(arena, b, &second, &kind);
    difference = affine_sub(arena, first[0], second[0]);
    if (!difference || !affine_is_constant(difference, distance))
        return false;
    moved = bound_add(arena, b, difference);
    return moved && affine_equal(moved, a);
}

const struct affine *bound_constant(struct arena *arena, const struct affine *bound, enum atom_kind wanted)
{
    const struct affine *const *arg;
    enum atom_kind kind;
    const int n = bound_args(arena, bound, &arg, &kind);

    for (int k = 0; k < n && (n == 1 || kind == wanted); k++)
        if (affine_is_constant(arg[k], NULL))
            return arg[k];
    return NULL;
}
