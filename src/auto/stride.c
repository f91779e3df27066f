#include "auto/stride.h"

#include "program/expr/affine.h"

enum { LARGEST_GROUP = 4 };

/* The subscript whose neighbours are neighbours in memory, or -1. */
static int fastest(const struct array *array)
{
    if (array->n_dim == 0 || array->stride || array->digit)
        return -1;
    return array->dim_order ? array->dim_order[array->n_dim - 1] : array->n_dim - 1;
}

/* What the subscript does: *factor a step; false where that is no constant. */
static bool moves_by(__isl_keep isl_pw_multi_aff *subscripts, int subscript, int dim, int64_t *factor)
{
    isl_pw_aff *index = isl_pw_multi_aff_get_pw_aff(subscripts, subscript);
    bool involved = true;

    index = isl_pw_aff_gist(index, isl_pw_aff_domain(isl_pw_aff_copy(index)));
    *factor = subscript_factor(subscripts, subscript, dim);
    if (isl_pw_aff_isa_aff(index) == isl_bool_true) {
        isl_aff *aff = isl_pw_aff_as_aff(isl_pw_aff_copy(index));

        involved = isl_aff_involves_dims(aff, isl_dim_in, (unsigned)dim, 1) != isl_bool_false;
        isl_aff_free(aff);
    }
    isl_pw_aff_free(index);
    return *factor != 0 || !involved;
}

enum stride stride_of(const struct access *access, int dim)
{
    const int last = fastest(access->array);
    isl_pw_multi_aff *subscripts;
    enum stride stride = STRIDE_NONE;

    if (access->array->n_dim == 0)
        return STRIDE_NONE;
    if (access->may && isl_map_is_single_valued(access->map) != isl_bool_true)
        return STRIDE_FAR;
    subscripts = isl_pw_multi_aff_from_map(isl_map_copy(access->map));
    for (int k = 0; k < access->array->n_dim; k++) {
        int64_t factor;

        if (moves_by(subscripts, k, dim, &factor) && (factor == 0 || (k == last && (factor == 1 || factor == -1))))
            stride = factor && stride == STRIDE_NONE ? STRIDE_NEXT : stride;
        else
            stride = STRIDE_FAR;
    }
    isl_pw_multi_aff_free(subscripts);
    return stride;
}

/* Is it one of a few elements next to each other, such as a part of a complex number, whose groups are neighbours?
 * These are loaded as whole registers and taken apart. */
static bool is_in_group(const struct access *access, int dim)
{
    const struct array *array = access->array;
    const int last = fastest(array), n = array->n_dim;
    const int group = n < 2 || last < 0 ? -1 : array->dim_order ? array->dim_order[n - 2] : n - 2;
    isl_pw_multi_aff *subscripts;
    int64_t size, place;
    bool is = true;

    if (access->may || group < 0 || !expr_constant(array->shape[last], &size) || size < 2 || size > LARGEST_GROUP ||
        !expr_constant(access->expr->arg[last], &place))
        return false;
    subscripts = isl_pw_multi_aff_from_map(isl_map_copy(access->map));
    for (int k = 0; is && k < n; k++) {
        int64_t factor;

        is = moves_by(subscripts, k, dim, &factor) && factor == (k == group);
    }
    isl_pw_multi_aff_free(subscripts);
    return is;
}

int stride_gain(const struct access *access, int dim)
{
    static const int gain[] = {[STRIDE_NONE] = 1, [STRIDE_NEXT] = 4, [STRIDE_FAR] = -8};
    const enum stride stride = stride_of(access, dim);
    const int times = access->write ? 2 : 1;

    if (stride != STRIDE_FAR)
        return times * gain[stride];
    if (is_in_group(access, dim))
        return times;
    /* No set gathers what is narrower than 32 bits. */
    return times * gain[stride] * (type_bits(access->array->type) < 32 ? 2 : 1);
}
