#include "program/complete.h"

#include "poly/coalesce.h"
#include "poly/keep.h"
#include "program/accesses.h"
#include "program/domains.h"
#include "program/expr/affine.h"

static __isl_give isl_set *extents_context(const struct program *program, const struct array *array,
                                           __isl_take isl_set *context)
{
    isl_space *space = program_params_space(program);

    for (int k = 0; k < array->n_dim; k++)
        context = isl_set_intersect(context, isl_pw_aff_nonneg_set(expr_pw_aff(space, array->shape[k])));
    isl_space_free(space);
    return context;
}

static __isl_give isl_set *all_extents_context(const struct program *program, __isl_take isl_set *context)
{
    for (int k = 0; k < program->n_array; k++)
        context = extents_context(program, &program->array[k], context);
    for (int k = 0; k < program->n_view; k++)
        context = extents_context(program, &program->view[k], context);
    return context;
}

static bool complete_context(struct program *program, __isl_take isl_set *assumed, struct diags *diags)
{
    isl_set *context = poly_set_coalesce(all_extents_context(program, assumed));

    program->context = poly_keep_set(program->arena, context);
    if (isl_set_is_empty(context) != isl_bool_true)
        return true;
    diag_error(diags, "assume", program->name_place,
               "no parameters meet all assumptions together with extents of at least 0");
    return false;
}

static void restrict_domains(struct program *program, const struct nest *nest)
{
    for (int k = 0; k < nest->n_statement; k++) {
        struct statement *statement = program->statement[nest->first_statement + k];
        isl_set *domain = isl_set_copy(statement->domain);

        domain = isl_set_intersect_params(domain, isl_set_copy(program->context));
        statement->domain = poly_keep_set(program->arena, poly_set_coalesce(domain));
    }
}

static void complete_statement(struct program *program, struct statement *statement, struct diags *diags)
{
    if (isl_set_is_empty(statement->domain) == isl_bool_true)
        diag_warning(diags, "empty-domain", statement->place, "%s never runs: its loops are empty for all parameters",
                     statement->label);
    statement_accesses(program, statement);
}

enum status program_complete(struct program *program, __isl_take isl_set *assumed, struct diags *diags)
{
    if (!complete_context(program, assumed, diags))
        return STATUS_REFUSED;
    for (int k = 0; k < program->n_array; k++)
        program->array[k].elements =
            poly_keep_set(program->arena, array_box(program, &program->array[k], program->array[k].n_iteration,
                                                    program->array[k].n_dim));
    for (int k = 0; k < program->n_view; k++)
        program->view[k].elements =
            poly_keep_set(program->arena, array_box(program, &program->view[k], 0, program->view[k].n_dim));
    for (int k = 0; k < program->n_nest; k++) {
        if (program->nest[k].order)
            restrict_domains(program, &program->nest[k]);
        else
            nest_domains(program, &program->nest[k]);
    }
    for (int k = 0; k < program->n_statement; k++)
        complete_statement(program, program->statement[k], diags);
    return STATUS_OK;
}
