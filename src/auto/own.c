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

/* The only child that uses the array; NULL: there are more, or none. */
static const struct nest_part *only_user(const struct nest_part *loop, const struct array *array)
{
    const struct nest_part *user = NULL;
    int n = 0;

    for (int k = 0; k < loop->child.n; k++)
        if (part_uses(loop->child.at[k], array)) {
            user = loop->child.at[k];
            n++;
        }
    return n == 1 ? user : NULL;
}

static bool is_own_inside(const struct nest_part *loop, const struct array *array)
{
    const struct nest_part *user = only_user(loop, array);

    return is_own(loop, array) || (user && user->loop && is_own_inside(user, array));
}

static own_vec list(const struct scene *scene, const struct nest_part *loop, bool arrays,
                    bool (*is)(const struct nest_part *loop, const struct array *array))
{
    const struct program *program = scene->program;
    own_vec own = {0};

    for (int k = 0; k < program->n_array; k++) {
        const struct array *array = &program->array[k];

        if (array->role == ROLE_TEMP && (arrays || array->n_dim == 0) && is(loop, array))
            VEC_PUSH(scene->arena, &own, array);
    }
    return own;
}

own_vec own_scalars(const struct scene *scene, const struct nest_part *loop)
{
    return list(scene, loop, false, is_own);
}

own_vec own_inside(const struct scene *scene, const struct nest_part *loop)
{
    return list(scene, loop, false, is_own_inside);
}

/* Does the statement sum up over the iterations of the loop? */
static bool sums_over(const struct statement *statement, const own_vec *own, int loop)
{
    enum expr_op op;

    return statement_is_update(statement, &op) && !own_has(own, statement->access[0].array) &&
           stride_of(&statement->access[0], loop) == STRIDE_NONE;
}

bool own_suffices(const struct scene *scene, const struct nest_part *loop, const own_vec *own)
{
    const struct program *program = scene->program;
    bool *member = ARENA_ARRAY(scene->arena, program->n_statement, bool);
    bool *apart = ARENA_ARRAY(scene->arena, program->n_array, bool);
    struct reach reach;

    part_mark(loop, member);
    for (int k = 0; k < own->n; k++)
        apart[own->at[k] - program->array] = true;
    for (int s = 0; s < program->n_statement; s++)
        if (member[s] && sums_over(program->statement[s], own, loop->depth))
            return false;
    reach = distance_apart(scene->distances, member, apart, loop->depth, loop->depth);
    return !reach.any || (reach.least == 0 && reach.most == 0);
}

bool own_frees(const struct site *site, int loop)
{
    const own_vec own = list(site->scene, site->loop[loop], true, is_own_inside);

    return own.n > 0 && own_suffices(site->scene, site->loop[loop], &own);
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

bool own_are_shared(const struct scene *scene, const struct nest_part *loop, const own_vec *own)
{
    for (int k = 0; k < own->n; k++)
        if (is_shared(scene, loop, own->at[k]))
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
