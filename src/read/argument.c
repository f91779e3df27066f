#include "read/argument.h"

#include "program/affine.h"
#include "read/reader.h"

__isl_give isl_pw_aff *argument_pw_aff(const struct program *program, const struct value *value, struct diags *diags)
{
    struct program copy = *program;
    struct reader reader = {.arena = program->arena, .diags = diags, .program = &copy};
    const struct expr *expr = read_affine(&reader, value, "this amount");
    isl_space *space = program_params_space(program);
    isl_pw_aff *amount = expr ? expr_pw_aff(space, expr) : NULL;

    isl_space_free(space);
    return amount;
}
