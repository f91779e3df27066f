#include "plan/device/shared_bytes.h"

#include "poly/number.h"
#include "program/expr/affine.h"

#include <isl/ilp.h>
#include <isl/space.h>
#include <isl/val.h>

/* The least value of an extent, at least 0; *constant: it has no other. */
static int64_t least_extent(const struct program *program, const struct expr *extent, bool *constant)
{
    isl_space *space = isl_space_set_from_params(program_params_space(program));
    isl_set *range;
    int64_t value;

    *constant = expr_constant(extent, &value);
    if (!*constant) {
        range = isl_map_range(isl_map_intersect_params(isl_map_from_pw_aff(expr_pw_aff(space, extent)),
                                                       isl_set_params(isl_set_copy(program->context))));
        range = isl_set_project_out(range, isl_dim_param, 0, (unsigned)program->n_param);
        if (!poly_number(isl_set_dim_min_val(range, 0), &value))
            value = 0;
    }
    isl_space_free(space);
    return value > 0 ? value : 0;
}

static int64_t product(int64_t a, int64_t b)
{
    int64_t result;

    return __builtin_mul_overflow(a, b, &result) ? INT64_MAX : result;
}

static int64_t total(int64_t a, int64_t b)
{
    int64_t result;

    return __builtin_add_overflow(a, b, &result) ? INT64_MAX : result;
}

/* The elements from the first to the last one. */
static int64_t strided_elements(const struct program *program, const struct array *array, bool *constant)
{
    int64_t elements = 1, stride = 0, offset = 0;

    *constant = !array->offset || expr_constant(array->offset, &offset);
    for (int k = 0; k < array->n_dim; k++) {
        bool known;
        const int64_t extent = least_extent(program, array->shape[k], &known);
        *constant = *constant && known && expr_constant(array->stride[k], &stride);
        elements = total(elements, product(extent - 1, stride));
    }
    return *constant ? total(elements, offset) : 0;
}

/* Gaps included. */
static int64_t dense_elements(const struct program *program, const struct array *array, bool *constant)
{
    const int n = array->digit ? array->n_digit : array->n_dim;
    int64_t elements = 1;

    *constant = true;
    for (int k = 0; k < n; k++) {
        const struct stored_dim plain = {array->dim_order ? array->dim_order[k] : k, 1, 0};
        const struct stored_dim *digit = array->digit ? &array->digit[k] : &plain;
        bool known = true;
        int64_t extent = digit->size ? digit->size : least_extent(program, array->shape[digit->dim], &known);
        if (!digit->size)
            extent = extent / digit->unit + (extent % digit->unit > 0);
        elements = product(elements, k == n - 1 ? total(extent, array->pad) : extent);
        *constant = *constant && known;
    }
    return elements;
}

static int64_t elements_of(const struct program *program, const struct array *array, bool *constant)
{
    return array->stride ? strided_elements(program, array, constant) : dense_elements(program, array, constant);
}

void shared_bytes_add(struct shared_bytes *sum, const struct program *program, const struct array *array)
{
    const int64_t align = array->align > 16 ? array->align : 16, size = type_bits(array->type) / 8;
    bool constant;
    const int64_t elements = product(elements_of(program, array, &constant), array->run ? array->run : 1);

    sum->least = total(total(sum->least, align - 1) / align * align, product(elements, size ? size : 1));
    sum->symbolic = sum->symbolic || !constant;
}

bool shared_bytes_are_strided(const struct program *program, const struct array *array)
{
    bool constant = true;

    if (array->stride)
        strided_elements(program, array, &constant);
    return !constant;
}

bool shared_bytes_are_symbolic(const struct program *program, const struct array *array)
{
    bool constant;

    elements_of(program, array, &constant);
    return !constant;
}
