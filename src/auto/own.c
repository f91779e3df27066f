#include "auto/own.h"

static bool uses(const struct statement *statement, const struct array *array, bool read)
{
    for (int k = 0; k < statement->n_access; k++)
        if (statement->access[k].array == array && (!read || !statement->access[k].write))
            return true;
    return false;
}

static bool part_uses(const struct nest_part *part, const struct array *array)
{
    bool used = part->statement && uses(part->statement, array, false);

    for (int k = 0; !used && k < part->child.n; k++)
        used = part_uses(part->child.at[k], array);
    return used;
}

static bool is_own(const struct nest_part *loop, const struct array *array)
{
    const struct statement *first;
    int k = 0;

    while (k < loop->child.n && !part_uses(loop->child.at[k], array))
        k++;
    first = k < loop->child.n ? loop->child.at[k]->statement : NULL;
    return first && first->target->array == array && !uses(first, array, true);
}

own_vec own_scalars(const struct scene *scene, const struct nest_part *loop)
{
    const struct program *program = scene->program;
    own_vec own = {0};

    for (int k = 0; k < program->n_array; k++) {
        const struct array *array = &program->array[k];

        if (array->role == ROLE_TEMP && array->n_dim == 0 && is_own(loop, array))
            VEC_PUSH(scene->arena, &own, array);
    }
    return own;
}

bool own_has(const own_vec *own, const struct array *array)
{
    for (int k = 0; k < own->n; k++)
        if (own->at[k] == array)
            return true;
    return false;
}

static bool is_shared(const struct scene *scene, const struct nest_part *loop, const struct array *array)
{
    for (int s = 0; s < scene->program->n_statement; s++)
        if (uses(scene->program->statement[s], array, false) && !part_has(loop, scene->program->statement[s]))
            return true;
    return false;
}

void own_expand(const struct scene *scene, const struct nest_part *loop, const struct array *scalar, const char *over,
                struct option *option)
{
    const struct site site = {.scene = scene};
    const char *as = "";

    if (is_shared(scene, loop, scalar))
        as = arena_printf(scene->arena, ", \"as\": \"%s\"",
                          site_buffer(&site, arena_printf(scene->arena, "%s_%s", scalar->name, loop->loop)));
    line_add(scene->arena, &option->schedule, "{\"expand\": \"%s\", \"over\": [%s]%s}", scalar->name, over, as);
}
