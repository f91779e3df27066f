#include "program/expr/range.h"

#include "poly/number.h"
#include "program/expr/affine.h"

#include <isl/ilp.h>
#include <isl/set.h>

struct range type_range(enum type type)
{
    const int bits = type_bits(type) - type_is_signed(type);
    const int64_t greatest = bits < 63 ? ((int64_t)1 << bits) - 1 : INT64_MAX;

    return (struct range){type_is_signed(type) ? -greatest - 1 : 0, greatest};
}

bool type_is_short(enum type type)
{
    return type_bits(type) <= 16;
}

/* { [value] }: what "values" allows with any parameters. */
static __isl_give isl_set *allowed(const struct program *program, const struct array *array)
{
    isl_space *space = isl_space_set_from_params(isl_set_get_space(program->context));
    isl_set *set;

    space = isl_space_add_dims(space, isl_dim_set, 1);
    set = isl_set_intersect_params(expr_set(space, array->values), isl_set_copy(program->context));
    isl_space_free(space);
    return isl_set_project_out(set, isl_dim_param, 0, (unsigned)program->n_param);
}

struct range array_range(const struct program *program, const struct array *array)
{
    struct range range = type_range(array->type);
    isl_set *set;
    int64_t end;

    if (!array->values)
        return range;
    set = allowed(program, array);
    if (poly_number(isl_set_dim_min_val(isl_set_copy(set), 0), &end) && end > range.least)
        range.least = end;
    if (poly_number(isl_set_dim_max_val(set, 0), &end) && end < range.greatest)
        range.greatest = end;
    return range;
}
