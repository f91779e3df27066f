#include "program/program.h"

#include <string.h>

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
