/* Is a buffer's block contiguous in its array already? */
#include "plan/cache/blocks.h"

#include "dep/polynomial.h"
#include "program/expr/affine.h"

#include <isl/space.h>

static const struct polynomial *of_expr(const struct buffer *buffer, const struct expr *expr)
{
    const struct program *program = buffer->schedule->program;
    isl_space *space = program_params_space(program);
    isl_pw_aff *value = expr_pw_aff(space, expr);
    const struct polynomial *polynomial = NULL;

    isl_space_free(space);
    if (isl_pw_aff_isa_aff(value) == isl_bool_true) {
        isl_aff *aff = isl_pw_aff_as_aff(isl_pw_aff_copy(value));
        polynomial = polynomial_from_aff(buffer->schedule->arena, program, aff);
        isl_aff_free(aff);
    }
    isl_pw_aff_free(value);
    return polynomial;
}

static const struct polynomial *constant(const struct buffer *buffer, int64_t value)
{
    return polynomial_constant(buffer->schedule->arena, buffer->schedule->program, value);
}

/* The dense place of a dimension, counted from the slowest. */
static int position(const struct array *array, int dim)
{
    for (int k = 0; array->dim_order && k < array->n_dim; k++)
        if (array->dim_order[k] == dim)
            return k;
    return dim;
}

/* Elements from one index of the dimension to the next. */
static const struct polynomial *stride_of(const struct buffer *buffer, int dim)
{
    const struct array *array = buffer->array;
    const struct polynomial *stride = constant(buffer, 1);

    if (array->stride)
        return of_expr(buffer, array->stride[dim]);
    for (int d = 0; d < array->n_dim; d++)
        if (position(array, d) > position(array, dim))
            stride = polynomial_product(buffer->schedule->arena, stride, of_expr(buffer, array->shape[d]));
    return stride;
}

bool buffer_is_contiguous(const struct buffer *buffer)
{
    struct arena *arena = buffer->schedule->arena;
    const struct polynomial *dense = constant(buffer, 1);

    if (buffer->n_between > 0 || buffer->options.pad > 0 || buffer->options.type != buffer->array->type)
        return false;
    if (buffer->array->digit)
        return blocks_are_buffer(buffer);
    for (int k = buffer->n_digit - 1; k >= 0; k--) {
        const struct digit *digit = &buffer->digit[k];
        const int64_t step = digit->unit * buffer->box[digit->axis].stride;
        const struct polynomial *here =
            polynomial_product(arena, stride_of(buffer, digit->axis), constant(buffer, step));
        if (!polynomial_is_equal(here, dense))
            return false;
        dense = polynomial_product(arena, dense,
                                   digit->extent ? of_expr(buffer, digit->extent) : constant(buffer, digit->size));
    }
    return true;
}
