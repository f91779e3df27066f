#include "tree/layout.h"

#include <string.h>

bool array_is_argument(const struct array *array)
{
    return array->role != ROLE_TEMP && array->role != ROLE_CONST;
}

bool program_shows_type(const struct program *program, enum type type)
{
    for (int k = 0; k < program->n_scalar; k++)
        if (program->scalar[k].type == type)
            return true;
    for (int k = 0; k < program->n_array; k++)
        if (array_is_argument(&program->array[k]) && program->array[k].type == type)
            return true;
    return false;
}

int array_dense_dimension(const struct array *array, int k)
{
    return array->dim_order ? array->dim_order[k] : k;
}

static bool constant_value(struct arena *arena, const struct scope *scope, const struct expr *expr, int64_t *value)
{
    const struct affine *affine;

    return affine_from_expr(arena, scope, expr, &affine) && affine && affine_is_constant(affine, value);
}

bool array_may_have_rows(struct arena *arena, const struct scope *scope, const struct array *array)
{
    int64_t extent;

    for (int k = 1; k < array->n_dim; k++)
        if (!constant_value(arena, scope, array->shape[array_dense_dimension(array, k)], &extent) || extent < 1)
            return false;
    return !array_is_argument(array) && !array->stride;
}

/* a / b where that is a positive constant; 0 elsewhere. */
static int64_t quotient(struct arena *arena, const struct affine *a, const struct affine *b)
{
    const int64_t of = b->n_term ? b->term[0].factor : b->constant;
    const int64_t multiple = a->n_term ? a->term[0].factor : a->constant;
    const struct affine *scaled;

    if (of == 0 || of == -1 || multiple / of <= 0)
        return 0;
    scaled = affine_scale(arena, b, multiple / of);
    return scaled && affine_equal(scaled, a) ? multiple / of : 0;
}

static int64_t stride_ratio(struct arena *arena, const struct scope *scope, const struct array *array, int outer,
                            int inner)
{
    const struct affine *stride[2];

    if (!affine_from_expr(arena, scope, array->stride[outer], &stride[0]) || !stride[0] ||
        !affine_from_expr(arena, scope, array->stride[inner], &stride[1]) || !stride[1])
        return 0;
    return quotient(arena, stride[0], stride[1]);
}

/* Each dimension goes before the first whose steps its own are a multiple of. */
static void sort_by_stride(struct arena *arena, const struct scope *scope, const struct array *array, int *order)
{
    for (int n = 0; n < array->n_dim; n++) {
        int at = 0;
        while (at < n && stride_ratio(arena, scope, array, n, order[at]) == 0)
            at++;
        memmove(&order[at + 1], &order[at], (size_t)(n - at) * sizeof(*order));
        order[at] = n;
    }
}

void array_steps(struct arena *arena, const struct scope *scope, const struct array *array, int *order, int64_t *ratio)
{
    if (array->stride)
        sort_by_stride(arena, scope, array, order);
    for (int k = 0; k < array->n_dim; k++) {
        if (!array->stride)
            order[k] = array_dense_dimension(array, k);
        ratio[k] = 0;
        if (k > 0 && array->stride)
            ratio[k] = stride_ratio(arena, scope, array, order[k - 1], order[k]);
        else if (k > 0 && !constant_value(arena, scope, array->shape[order[k]], &ratio[k]))
            ratio[k] = 0;
    }
}
