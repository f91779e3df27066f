#include "report/count.h"

#include "dep/extent.h"
#include "poly/coalesce.h"

#include <isl/ilp.h>
#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>

/* Does the dimension follow from the others? */
static bool is_determined(__isl_keep isl_set *set, int dim)
{
    isl_map *map = isl_map_from_range(isl_set_copy(set));
    const int n = (int)isl_set_dim(set, isl_dim_set);
    bool determined;

    map = isl_map_move_dims(map, isl_dim_in, 0, isl_dim_out, (unsigned)dim + 1, (unsigned)(n - dim - 1));
    map = isl_map_move_dims(map, isl_dim_in, 0, isl_dim_out, 0, (unsigned)dim);
    determined = isl_map_is_single_valued(map) == isl_bool_true;
    isl_map_free(map);
    return determined;
}

static __isl_give isl_set *without_determined(__isl_take isl_set *set)
{
    for (int k = (int)isl_set_dim(set, isl_dim_set) - 1; k >= 0; k--)
        if (is_determined(set, k))
            set = isl_set_project_out(set, isl_dim_set, (unsigned)k, 1);
    return poly_set_coalesce(set);
}

/* The set with only dimensions a and b */
static __isl_give isl_set *pair_of(__isl_keep isl_set *set, int a, int b)
{
    set = isl_set_copy(set);
    for (int k = (int)isl_set_dim(set, isl_dim_set) - 1; k >= 0; k--)
        if (k != a && k != b)
            set = isl_set_project_out(set, isl_dim_set, (unsigned)k, 1);
    return poly_set_coalesce(set);
}

/* The values of dim are 0 to *size - 1, perhaps not all of them. */
static bool is_digit(__isl_keep isl_set *set, int dim, int64_t *size)
{
    isl_val *low = isl_set_dim_min_val(isl_set_copy(set), dim), *high = isl_set_dim_max_val(isl_set_copy(set), dim);
    const bool is = isl_val_is_zero(low) == isl_bool_true && isl_val_is_int(high) == isl_bool_true &&
                    isl_val_cmp_si(high, INT16_MAX) < 0;

    *size = is ? isl_val_get_num_si(high) + 1 : 0;
    isl_val_free(low);
    isl_val_free(high);
    return is;
}

/* { [.., a, .., b, ..] -> [.., size * a + b, .., ..] }: as many points, b being a digit. */
static __isl_give isl_set *merged(__isl_take isl_set *set, int a, int b, int64_t size)
{
    isl_multi_aff *map = isl_multi_aff_identity(isl_space_map_from_set(isl_set_get_space(set)));
    isl_aff *sum = isl_multi_aff_get_aff(map, a);

    sum = isl_aff_scale_val(sum, isl_val_int_from_si(isl_set_get_ctx(set), size));
    sum = isl_aff_add(sum, isl_multi_aff_get_aff(map, b));
    map = isl_multi_aff_set_aff(map, a, sum);
    set = isl_set_apply(set, isl_map_from_multi_aff(map));
    return poly_set_coalesce(isl_set_project_out(set, isl_dim_set, (unsigned)b, 1));
}

/* Does every value of one dimension go with every value of the other? */
static bool is_product(__isl_keep isl_set *pair)
{
    isl_set *first = isl_set_project_out(isl_set_copy(pair), isl_dim_set, 1, 1);
    isl_set *second = isl_set_project_out(isl_set_copy(pair), isl_dim_set, 0, 1);
    isl_set *product = isl_set_flat_product(first, second);
    const bool is = isl_set_is_subset(product, pair) == isl_bool_true;

    isl_set_free(product);
    return is;
}

/* { [x] -> [x + 1] } */
static __isl_give isl_map *successor(__isl_keep isl_set *set)
{
    isl_local_space *space = isl_local_space_from_space(isl_set_get_space(set));

    return isl_map_from_aff(isl_aff_add_constant_si(isl_aff_var_on_domain(space, isl_dim_set, 0), 1));
}

/* Is there no value between two values of the one dimension? */
static bool is_interval(__isl_take isl_set *set)
{
    isl_set *not_last = isl_map_domain(isl_set_lex_lt_set(isl_set_copy(set), isl_set_copy(set)));
    isl_set *next = isl_set_apply(not_last, successor(set));
    const bool is = isl_set_is_subset(next, set) == isl_bool_true;

    isl_set_free(next);
    isl_set_free(set);
    return is;
}

/* Are the two parts of a loop that was split? */
static bool are_parts(__isl_keep isl_set *set, int a, int b, int64_t *size)
{
    isl_set *pair = pair_of(set, a, b);
    const bool first = a > b;
    const bool are = is_digit(pair, first ? 0 : 1, size) && *size > 1 && !is_product(pair) &&
                     is_interval(merged(isl_set_copy(pair), first, !first, *size));

    isl_set_free(pair);
    return are;
}

/* *set with two parts of a loop made one; false when there are none. */
static bool merge_parts(isl_set **set)
{
    const int n = (int)isl_set_dim(*set, isl_dim_set);
    int64_t size;

    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            if (a != b && are_parts(*set, a, b, &size)) {
                *set = merged(*set, a, b, size);
                return true;
            }
    return false;
}

const struct polynomial *count_points(struct arena *arena, const struct program *program, __isl_take isl_set *set,
                                      bool *at_most)
{
    struct extent extent;

    set = isl_set_intersect_params(isl_set_reset_tuple_id(set), isl_set_copy(program->context));
    set = without_determined(set);
    while (merge_parts(&set))
        ;
    extent = extent_of_set(arena, program, set);
    if (at_most)
        *at_most = !extent.count;
    return extent.count || !at_most ? extent.count : extent.box;
}
