#include "auto/keep.h"

#include "auto/divide.h"

#include "program/expr/affine.h"

static bool uses(const struct statement *statement, const struct array *array)
{
    for (int k = 0; k < statement->n_access; k++)
        if (statement->access[k].array == array)
            return true;
    return false;
}

static bool is_used(const struct program *program, const struct array *array, const bool *member, bool among)
{
    for (int s = 0; s < program->n_statement; s++)
        if (member[s] == among && uses(program->statement[s], array))
            return true;
    return false;
}

static bool has_several(const struct program *program, const struct array *array, const bool *member, int depth)
{
    for (int s = 0; s < program->n_statement; s++)
        for (int k = 0; member[s] && k < program->statement[s]->n_access; k++)
            if (program->statement[s]->access[k].array == array &&
                stride_inside(&program->statement[s]->access[k], depth, program->statement[s]->n_loop))
                return true;
    return false;
}

bool keep_is_large(const struct scene *scene, const struct array *array)
{
    int64_t bytes = type_bits(array->type) / 8, extent;

    for (int k = 0; k < array->n_dim; k++) {
        if (!expr_constant(array->shape[k], &extent))
            return true;
        bytes *= extent;
        if (bytes > scene->machine->cache[0])
            return true;
    }
    return false;
}

/* Does no pair of the statements leave an iteration of the loop? */
static bool stays(const struct scene *scene, const bool *member, int depth)
{
    const struct reach reach = distance_in(scene->distances, member, depth, depth);

    return !reach.any || (reach.least == 0 && reach.most == 0);
}

/* Is the part a loop over statements, in which neighbours gain? */
static bool is_row_loop(const struct scene *scene, const struct nest_part *part)
{
    for (int k = 0; k < part->child.n; k++)
        if (part->child.at[k]->loop)
            return false;
    return part_gains(scene, part);
}

/* Does the part go along a row of the array in each iteration of a loop around, at that depth? */
static bool goes_along(const struct nest_part *part, const struct array *array, int depth)
{
    for (int s = 0; s < part->child.n; s++) {
        const struct statement *statement = part->child.at[s]->statement;

        for (int k = 0; k < statement->n_access; k++)
            if (statement->access[k].array == array && stride_of(&statement->access[k], depth) == STRIDE_FAR &&
                stride_of(&statement->access[k], depth + 1) == STRIDE_NEXT)
                return true;
    }
    return false;
}

/* Is everything inside of the loop along rows, two of which are of one large array? */
static bool shares_rows(const struct scene *scene, const struct nest_part *loop, const part_vec *inside)
{
    const struct program *program = scene->program;
    bool shares = false;

    for (int part = 0; part < inside->n; part++)
        if (inside->at[part]->loop && !is_row_loop(scene, inside->at[part]))
            return false;
    for (int a = 0; a < program->n_array && !shares; a++) {
        int n = 0;

        for (int part = 0; part < inside->n && keep_is_large(scene, &program->array[a]); part++)
            n += inside->at[part]->loop && goes_along(inside->at[part], &program->array[a], loop->depth);
        shares = n > 1;
    }
    return shares;
}

bool keeps_together(const struct scene *scene, const struct nest_part *loop, const part_vec *inside, int k)
{
    const struct program *program = scene->program;
    bool *all = ARENA_ARRAY(scene->arena, program->n_statement, bool);
    bool *front = ARENA_ARRAY(scene->arena, program->n_statement, bool);
    bool *behind = ARENA_ARRAY(scene->arena, program->n_statement, bool);

    part_mark(loop, all);
    for (int part = 0; part < inside->n; part++)
        part_mark(inside->at[part], part < k ? front : behind);
    if (!stays(scene, all, loop->depth))
        return false;
    if (!scene->device && shares_rows(scene, loop, inside))
        return true;
    for (int a = 0; a < program->n_array; a++) {
        const struct array *array = &program->array[a];

        if (array->role == ROLE_TEMP && array->n_dim > 0 && is_used(program, array, front, true) &&
            is_used(program, array, behind, true) && !is_used(program, array, all, false) &&
            keep_is_large(scene, array) && has_several(program, array, all, loop->depth + 1))
            return true;
    }
    return false;
}
