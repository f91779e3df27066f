#include "lower/facts/surroundings.h"

const struct affine *surroundings_expand(const struct surroundings *around, const struct affine *a)
{
    for (; around && a; around = around->outer)
        if (around->value && affine_uses(a, around->value->var))
            a = affine_substitute(around->facts->lowering->arena, a, around->value->var, around->value->lower);
    return a;
}

const struct affine *surroundings_name(const struct surroundings *around, const struct affine *a)
{
    for (; around && a; around = around->outer) {
        struct arena *arena = around->facts->lowering->arena;
        const struct affine *named;
        if (!around->value || affine_has_moving_floor(around->value->lower))
            continue;
        named = affine_add(arena, affine_sub(arena, a, around->value->lower), affine_var(arena, around->value->var));
        if (named && named->n_term < a->n_term)
            a = named;
    }
    return a;
}
