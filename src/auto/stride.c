#include "auto/stride.h"

#include "poly/coalesce.h"
#include "poly/number.h"
#include "program/expr/affine.h"

enum { LARGEST_GROUP = 4, MOST_ENDS = 4 /* iterations */ };

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
    bool involved;

    if (isl_pw_aff_n_piece(index) > 1)
        index = poly_pw_aff_coalesce(index);
    index = isl_pw_aff_gist(index, isl_pw_aff_domain(isl_pw_aff_copy(index)));
    *factor = subscript_factor(subscripts, subscript, dim);
    involved = isl_pw_aff_involves_dims(index, isl_dim_in, (unsigned)dim, 1) != isl_bool_false;
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

bool stride_inside(const struct access *access, int outer, int n_loop)
{
    for (int k = outer; k < n_loop; k++)
        if (stride_of(access, k) != STRIDE_NONE)
            return true;
    return false;
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

/* The instances that are further in than n from one end of the loop: forward: from its start. */
static __isl_give isl_set *further_in(__isl_keep isl_set *instances, int dim, int n, bool forward)
{
    isl_multi_aff *shift = isl_multi_aff_identity_on_domain_space(isl_set_get_space(instances));
    isl_aff *aff = isl_aff_add_constant_si(isl_multi_aff_get_at(shift, dim), forward ? -n : n);
    isl_set *shifted = isl_set_preimage_multi_aff(isl_set_copy(instances), isl_multi_aff_set_at(shift, dim, aff));

    return isl_set_intersect(shifted, isl_set_copy(instances));
}

/* Finds how many iterations at the ends hold all instances but these. */
static bool find_ends(__isl_keep isl_set *between, __isl_keep isl_set *instances, int dim, struct stride_ends *ends)
{
    for (int n = 0; n < (MOST_ENDS + 1) * (MOST_ENDS + 1); n++) {
        const struct stride_ends one = {n % (MOST_ENDS + 1), n / (MOST_ENDS + 1)};
        isl_set *in = further_in(instances, dim, one.first, true);
        bool all;

        in = isl_set_intersect(in, further_in(instances, dim, one.last, false));
        all = isl_set_is_subset(in, between) == isl_bool_true;
        isl_set_free(in);
        *ends = one;
        if (all)
            return true;
    }
    return false;
}

/* What a subscript is between the ends: a piece of it that moves to neighbours. */
struct between {
    isl_set *instances; /* of the statement */
    int dim;
    bool found;
    struct stride_ends ends;
};

static isl_stat look_at(__isl_take isl_set *domain, __isl_take isl_aff *aff, void *user)
{
    struct between *between = user;
    isl_aff *rest = isl_aff_set_coefficient_si(isl_aff_copy(aff), isl_dim_in, between->dim, 0);
    const bool linear = isl_aff_involves_dims(rest, isl_dim_in, (unsigned)between->dim, 1) == isl_bool_false;
    int64_t factor;

    if (!between->found && linear && poly_number(isl_aff_get_coefficient_val(aff, isl_dim_in, between->dim), &factor) &&
        (factor == 1 || factor == -1))
        between->found = find_ends(domain, between->instances, between->dim, &between->ends);
    isl_aff_free(rest);
    isl_aff_free(aff);
    isl_set_free(domain);
    return isl_stat_ok;
}

/* Subscript k is the same in all iterations, or, where its neighbours are neighbours in memory, moves to them between
 * the ends. */
static bool is_between(const struct access *access, const struct statement *statement, int k, int dim,
                       struct between *between)
{
    isl_pw_multi_aff *subscripts = isl_pw_multi_aff_from_map(isl_map_copy(access->map));
    isl_pw_aff *index = poly_pw_aff_coalesce(isl_pw_multi_aff_get_pw_aff(subscripts, k));
    isl_pw_aff *plain = isl_pw_aff_gist(isl_pw_aff_copy(index), isl_set_copy(statement->domain));
    const bool still = isl_pw_aff_involves_dims(plain, isl_dim_in, (unsigned)dim, 1) == isl_bool_false;

    *between = (struct between){.instances = statement->domain, .dim = dim};
    if (!still && k == fastest(access->array))
        isl_pw_aff_foreach_piece(index, look_at, between);
    isl_pw_aff_free(plain);
    isl_pw_aff_free(index);
    isl_pw_multi_aff_free(subscripts);
    return still || between->found;
}

bool stride_between(const struct access *access, const struct statement *statement, int dim, struct stride_ends *ends,
                    int *gain)
{
    bool near = isl_map_is_single_valued(access->map) == isl_bool_true, moves = false;

    for (int k = 0; k < access->array->n_dim && near; k++) {
        struct between between;

        near = is_between(access, statement, k, dim, &between);
        moves = moves || between.found;
        *ends = between.found ? between.ends : *ends;
    }
    *gain = (access->write ? 2 : 1) * (moves ? 4 : 1);
    return near;
}
