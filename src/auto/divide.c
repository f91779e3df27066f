#include "auto/divide.h"

static bool *marks(const struct scene *scene, const part_vec *parts, int first, int end)
{
    bool *member = ARENA_ARRAY(scene->arena, scene->program->n_statement, bool);

    for (int k = first; k < end; k++)
        part_mark(parts->at[k], member);
    return member;
}

/* May all iterations with what is in front of number k run before those with the rest? */
static bool may_cut(const struct scene *scene, const struct part *loop, const part_vec *inside, int k)
{
    return !distance_between(scene->distances, marks(scene, inside, k, inside->n), marks(scene, inside, 0, k),
                             loop->depth);
}

static struct part *copy_of(const struct scene *scene, const struct part *loop)
{
    struct part *copy = ARENA_NEW(scene->arena, struct part);

    *copy = (struct part){.loop = loop->loop, .depth = loop->depth, .descends = loop->descends};
    return copy;
}

static const char *loop_name(const struct scene *scene, const struct part *loop)
{
    return arena_printf(scene->arena, "%s.%s", part_first(loop)->label, loop->loop);
}

static void divide_loop(const struct scene *scene, const struct part *loop, part_vec *into)
{
    const part_vec inside = divide_parts(scene, &loop->child);
    struct part *piece = copy_of(scene, loop);

    for (int k = 0; k < inside.n; k++) {
        if (k > 0 && may_cut(scene, loop, &inside, k)) {
            line_add(scene->arena, &scene->division->schedule, "{\"fission\": \"%s\", \"after\": \"%s\"}",
                     loop_name(scene, piece), part_last(piece)->label);
            VEC_PUSH(scene->arena, into, piece);
            piece = copy_of(scene, loop);
        }
        VEC_PUSH(scene->arena, &piece->child, inside.at[k]);
    }
    VEC_PUSH(scene->arena, into, piece);
}

part_vec divide_parts(const struct scene *scene, const part_vec *parts)
{
    part_vec divided = {0};

    for (int k = 0; k < parts->n; k++)
        if (parts->at[k]->loop)
            divide_loop(scene, parts->at[k], &divided);
        else
            VEC_PUSH(scene->arena, &divided, parts->at[k]);
    return divided;
}
