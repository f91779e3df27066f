#include "dep/told.h"

#include "program/expr/affine.h"

#include <isl/space.h>

/* The time of a statement's instances, { S[i,j] -> [t] }. */
static __isl_give isl_pw_aff *time_of(__isl_keep isl_union_pw_aff *time, const struct statement *statement)
{
    isl_space *space = isl_space_from_domain(isl_set_get_space(statement->domain));

    return isl_union_pw_aff_extract_pw_aff(time, isl_space_add_dims(space, isl_dim_out, 1));
}

/* May subscript dim be read off the expression? */
static bool is_readable(const struct access *access, int dim)
{
    const struct array *array = access->array;
    const struct expr *expr = access->expr;
    const char *why;

    return !access->may && !array->contracted_from && expr->array == array && expr->n_arg == array->n_dim &&
           dim < expr->n_arg && !expr_affine_obstacle(expr->arg[dim], &why);
}

/* Are both one expression everywhere, and the same? Their quotients may be listed in another order. */
static bool are_alike(__isl_keep isl_pw_aff *a, __isl_keep isl_pw_aff *b)
{
    isl_aff *between;
    bool alike;

    if (isl_pw_aff_isa_aff(a) != isl_bool_true || isl_pw_aff_isa_aff(b) != isl_bool_true)
        return false;
    between = isl_aff_sub(isl_pw_aff_as_aff(isl_pw_aff_copy(a)), isl_pw_aff_as_aff(isl_pw_aff_copy(b)));
    alike = isl_aff_plain_is_zero(between) == isl_bool_true;
    isl_aff_free(between);
    return alike;
}

bool subscript_tells_time(const struct statement *statement, const struct access *access, int dim,
                          __isl_keep isl_union_pw_aff *time)
{
    isl_pw_aff *own, *subscript;
    isl_space *space;
    bool alike;

    if (!is_readable(access, dim))
        return false;
    space = isl_set_get_space(statement->domain);
    own = time_of(time, statement);
    subscript = expr_pw_aff(space, access->expr->arg[dim]);
    alike = are_alike(own, subscript);
    isl_space_free(space);
    isl_pw_aff_free(own);
    isl_pw_aff_free(subscript);
    return alike;
}

bool subscripts_tell_time(const struct program *program, const struct array *array, int dim,
                          __isl_keep isl_union_pw_aff *time)
{
    for (int s = 0; s < program->n_statement; s++) {
        const struct expr *told = NULL;
        for (int k = 0; k < program->statement[s]->n_access; k++) {
            const struct access *access = &program->statement[s]->access[k];
            if (access->array != array || access->expr == told)
                continue;
            if (!subscript_tells_time(program->statement[s], access, dim, time))
                return false;
            told = access->expr;
        }
    }
    return true;
}
