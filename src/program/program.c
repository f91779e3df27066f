#include "program/program.h"

#include "base/names.h"
#include "program/calls.h"
#include "program/storage/view.h"

#include <string.h>

bool array_is_within(const struct array *array, int loop)
{
    for (int k = 0; k < array->n_within; k++)
        if (array->within[k] == loop)
            return true;
    return false;
}

bool statement_uses_array(const struct statement *statement, const struct array *array)
{
    for (int k = 0; k < statement->n_access; k++)
        if (statement->access[k].array == array)
            return true;
    return false;
}

const struct statement *program_statement(const struct program *program, const char *label)
{
    for (int k = 0; k < program->n_statement; k++)
        if (strcmp(program->statement[k]->label, label) == 0)
            return program->statement[k];
    return NULL;
}

const struct array *program_array(const struct program *program, const char *name)
{
    for (int k = 0; k < program->n_array; k++)
        if (strcmp(program->array[k].name, name) == 0)
            return &program->array[k];
    return NULL;
}

const struct param *program_param(const struct program *program, const char *name)
{
    for (int k = 0; k < program->n_param; k++)
        if (strcmp(program->param[k].name, name) == 0)
            return &program->param[k];
    return NULL;
}

const struct scalar *program_scalar(const struct program *program, const char *name)
{
    for (int k = 0; k < program->n_scalar; k++)
        if (strcmp(program->scalar[k].name, name) == 0)
            return &program->scalar[k];
    return NULL;
}

bool program_has_name(const struct program *program, const char *name)
{
    return program_param(program, name) || program_scalar(program, name) || program_array(program, name) ||
           program_view(program, name) || program_call(program, name);
}

static bool is_listed(const char *name, const char *const *list, int n)
{
    for (int k = 0; k < n; k++)
        if (strcmp(list[k], name) == 0)
            return true;
    return false;
}

const char *program_default_name(struct arena *arena, const struct program *program, const char *wanted,
                                 const char *const *other, int n)
{
    const char *start = names_start(arena, wanted), *name = start;

    for (int k = 1; name_is_reserved(name) || program_has_name(program, name) || is_listed(name, other, n); k++)
        name = arena_printf(arena, "%s_%d", start, k);
    return name;
}

void program_add_names(const struct program *program, struct names *names)
{
    for (int k = 0; k < program->n_param; k++)
        names_add(names, program->param[k].name);
    for (int k = 0; k < program->n_scalar; k++)
        names_add(names, program->scalar[k].name);
    for (int k = 0; k < program->n_array; k++)
        names_add(names, program->array[k].name);
}

__isl_give isl_space *program_params_space(const struct program *program)
{
    isl_space *space = isl_space_params_alloc(program->ctx, (unsigned)program->n_param);

    for (int k = 0; k < program->n_param; k++)
        space = isl_space_set_dim_name(space, isl_dim_param, (unsigned)k, program->param[k].name);
    return space;
}

const char *role_name(enum role role)
{
    static const char *const names[] = {"in", "out", "inout", "temp", "const"};

    return names[role];
}
