#include "dep/box.h"

#include <isl/constraint.h>
#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>

enum { MOST = 32 };

/* Bounds of the elements: affine expressions of the iteration. */
struct bounds {
    isl_aff *lower[MOST], *upper[MOST];
    int n_lower, n_upper;
};

/* The constraint but for its last dimension, divided by -sign: sign * a + .. >= 0. */
static __isl_give isl_aff *bound_of(__isl_keep isl_constraint *constraint, int sign)
{
    isl_space *space = isl_space_domain(isl_constraint_get_space(constraint));
    isl_aff *bound = isl_aff_zero_on_domain(isl_local_space_from_space(space));
    const enum isl_dim_type types[] = {isl_dim_param, isl_dim_in};

    for (int t = 0; t < 2; t++)
        for (int k = 0; k < isl_constraint_dim(constraint, types[t]); k++)
            bound = isl_aff_set_coefficient_val(bound, types[t], k,
                                                isl_constraint_get_coefficient_val(constraint, types[t], k));
    bound = isl_aff_set_constant_val(bound, isl_constraint_get_constant_val(constraint));
    return sign > 0 ? isl_aff_neg(bound) : bound;
}

static isl_stat add_bound(__isl_take isl_constraint *constraint, void *user)
{
    struct bounds *bounds = user;
    isl_val *factor = isl_constraint_get_coefficient_val(constraint, isl_dim_out, 0);
    const bool lower = isl_val_is_one(factor) == isl_bool_true, upper = isl_val_is_negone(factor) == isl_bool_true;
    const bool plain =
        isl_constraint_involves_dims(constraint, isl_dim_div, 0,
                                     (unsigned)isl_constraint_dim(constraint, isl_dim_div)) == isl_bool_false;

    if (plain && lower && bounds->n_lower < MOST)
        bounds->lower[bounds->n_lower++] = bound_of(constraint, 1);
    if (plain && upper && bounds->n_upper < MOST)
        bounds->upper[bounds->n_upper++] = bound_of(constraint, -1);
    isl_val_free(factor);
    isl_constraint_free(constraint);
    return isl_stat_ok;
}

/* How many dimensions of the type it depends on. */
static int n_involved(__isl_keep isl_aff *aff, enum isl_dim_type type)
{
    int n = 0;

    for (int k = 0; k < isl_aff_dim(aff, type); k++)
        n += isl_aff_involves_dims(aff, type, (unsigned)k, 1) == isl_bool_true;
    return n;
}

static bool is_smaller(__isl_keep isl_aff *size, __isl_keep isl_aff *than)
{
    isl_aff *less = isl_aff_sub(isl_aff_copy(than), isl_aff_copy(size));
    isl_val *by = isl_aff_get_constant_val(less);
    const bool smaller = isl_aff_is_cst(less) == isl_bool_true && isl_val_is_pos(by) == isl_bool_true;

    isl_val_free(by);
    isl_aff_free(less);
    return smaller;
}

/* Of fewer parameters, else the smaller one. */
static bool is_better(__isl_keep isl_aff *size, __isl_keep isl_aff *than)
{
    const int n = n_involved(size, isl_dim_param), others = n_involved(than, isl_dim_param);

    return n < others || (n == others && is_smaller(size, than));
}

/* The box between two of the bounds, if its size does not depend on the iteration and it is better than *box. */
static void try(__isl_keep isl_aff *lower, __isl_keep isl_aff *upper, struct box *box, isl_aff **size)
{
    isl_aff *own = isl_aff_add_constant_si(isl_aff_sub(isl_aff_copy(upper), isl_aff_copy(lower)), 1);

    if (n_involved(own, isl_dim_in) > 0 || (*size && !is_better(own, *size))) {
        isl_aff_free(own);
        return;
    }
    isl_aff_free(*size);
    box_release(box);
    *size = own;
    box->offset = isl_aff_copy(lower);
}

struct box box_measure_symbolic(__isl_keep isl_map *map, __isl_keep isl_set *context, isl_aff **size)
{
    isl_map *known = isl_map_intersect_params(isl_map_copy(map), isl_set_params(isl_set_copy(context)));
    isl_basic_map *hull = isl_basic_map_detect_equalities(isl_map_simple_hull(known));
    struct bounds bounds = {.n_lower = 0};
    struct box box = {.stride = 1};

    *size = NULL;
    isl_basic_map_foreach_constraint(hull, add_bound, &bounds);
    isl_basic_map_free(hull);
    for (int l = 0; l < bounds.n_lower; l++)
        for (int u = 0; u < bounds.n_upper; u++)
            try(bounds.lower[l], bounds.upper[u], &box, size);
    for (int k = 0; k < MOST; k++) {
        isl_aff_free(bounds.lower[k]);
        isl_aff_free(bounds.upper[k]);
    }
    return box;
}
