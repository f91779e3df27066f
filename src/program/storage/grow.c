#include "program/storage/grow.h"

static const struct stored_dim *inserted_digits(struct arena *arena, const struct array *array, int at, int n)
{
    struct stored_dim *digit = ARENA_ARRAY(arena, array->n_digit + n, struct stored_dim);

    for (int k = 0; k < n; k++)
        digit[k] = (struct stored_dim){at + k, 1, 0};
    for (int k = 0; k < array->n_digit; k++) {
        digit[n + k] = array->digit[k];
        digit[n + k].dim += digit[n + k].dim < at ? 0 : n;
    }
    return digit;
}

void array_insert_dims(struct arena *arena, struct array *array, int at, struct expr *const *extent, int n)
{
    struct expr **shape = ARENA_ARRAY(arena, array->n_dim + n, struct expr *);
    int *order = ARENA_ARRAY(arena, array->n_dim + n, int);

    for (int k = 0; k < array->n_dim + n; k++) {
        const int old = k < n ? k : array->dim_order ? array->dim_order[k - n] : k - n;
        shape[k] = k < at ? array->shape[k] : k < at + n ? extent[k - at] : array->shape[k - n];
        order[k] = k < n ? at + k : old < at ? old : old + n;
    }
    array->dim_order = array->dim_order ? order : NULL;
    if (array->digit) {
        array->digit = inserted_digits(arena, array, at, n);
        array->n_digit += n;
    }
    array->stride = NULL;
    array->offset = NULL;
    array->shape = shape;
    array->n_dim += n;
}
