#include "plan/device/copies/neighbours.h"

#include "poly/number.h"
#include "program/expr/affine.h"

#include <isl/ilp.h>
#include <isl/local_space.h>
#include <isl/val.h>

/* set where dimension dim, of a tuple, is a multiple of n */
static __isl_give isl_set *multiples(__isl_take isl_set *set, int dim, int64_t n)
{
    isl_local_space *space = isl_local_space_from_space(isl_set_get_space(set));
    isl_aff *rest = isl_aff_var_on_domain(space, isl_dim_set, (unsigned)dim);

    rest = isl_aff_mod_val(rest, isl_val_int_from_si(isl_set_get_ctx(set), (long)n));
    return isl_set_intersect(set, isl_pw_aff_zero_set(isl_pw_aff_from_aff(rest)));
}

__isl_give isl_map *copied_runs(const struct copied *copied, int64_t n)
{
    isl_space *space = isl_set_get_space(copied->statement->domain);
    isl_aff *run =
        isl_aff_var_on_domain(isl_local_space_from_space(isl_space_copy(space)), isl_dim_set, (unsigned)copied->loop);
    isl_multi_aff *runs = isl_multi_aff_identity(isl_space_map_from_set(space));
    isl_map *map, *back;

    run = isl_aff_floor(isl_aff_scale_down_val(run, isl_val_int_from_si(copied->program->ctx, (long)n)));
    map = isl_map_from_multi_aff(isl_multi_aff_set_aff(runs, copied->loop, run));
    back = isl_map_reverse(isl_map_copy(map));
    return isl_map_apply_range(map, back);
}

__isl_give isl_set *copied_first(const struct copied *copied, __isl_take isl_set *set, int64_t n)
{
    return multiples(set, copied->loop, n);
}

/* Do all instances of a run belong to part when one does? */
static bool is_whole(const struct copied *copied, const isl_set *part, __isl_keep isl_map *runs)
{
    isl_set *set =
        isl_set_intersect_params(isl_set_copy((isl_set *)(uintptr_t)part), isl_set_copy(copied->program->context));
    isl_set *all = isl_set_apply(isl_set_copy(set), isl_map_copy(runs));
    const bool whole = isl_set_is_subset(all, set) == isl_bool_true;

    isl_set_free(all);
    isl_set_free(set);
    return whole;
}

/* The map of a tuple to the one whose dimension dim is one more. */
static __isl_give isl_map *to_next(__isl_take isl_space *space, int dim)
{
    isl_multi_aff *next = isl_multi_aff_identity(isl_space_map_from_set(space));
    isl_aff *aff = isl_aff_add_constant_si(isl_multi_aff_get_aff(next, dim), 1);

    return isl_map_from_multi_aff(isl_multi_aff_set_aff(next, dim, aff));
}

int fastest_dimension(const struct array *array)
{
    if (array->n_dim == 0 || array->stride || array->digit)
        return -1;
    return array->dim_order ? array->dim_order[array->n_dim - 1] : array->n_dim - 1;
}

/* { A[element] -> A[that of the next instance of the run] } */
static __isl_give isl_map *to_next_element(const struct copied *copied, const struct access *access, int64_t n)
{
    isl_map *next = to_next(isl_set_get_space(copied->statement->domain), copied->loop);

    next = isl_map_intersect(next, copied_runs(copied, n));
    next = isl_map_apply_range(isl_map_reverse(isl_map_copy(access->map)), next);
    return isl_map_apply_range(next, isl_map_copy(access->map));
}

/* Are the elements of neighbours in a run neighbours in memory? */
static bool elements_follow(const struct copied *copied, const struct access *access, int dim, int64_t n)
{
    isl_map *next = to_next_element(copied, access, n), *step;
    bool follow;

    step = to_next(isl_space_range(isl_map_get_space(access->map)), dim);
    follow = isl_map_is_subset(next, step) == isl_bool_true;
    isl_map_free(next);
    isl_map_free(step);
    return follow;
}

/* Are rows of the array, gaps included, a multiple of n elements apart? */
static bool rows_are_multiples(const struct copied *copied, const struct array *array, int dim, int64_t n)
{
    isl_space *space = isl_space_set_from_params(program_params_space(copied->program));
    isl_pw_aff *extent = expr_pw_aff(space, array->shape[dim]);
    isl_set *multiple;
    bool always;

    isl_space_free(space);
    extent = isl_pw_aff_add_constant_val(extent, isl_val_int_from_si(copied->program->ctx, (long)array->pad));
    extent = isl_pw_aff_mod_val(extent, isl_val_int_from_si(copied->program->ctx, (long)n));
    multiple = isl_set_params(isl_pw_aff_zero_set(extent));
    always = isl_set_is_subset(copied->program->context, multiple) == isl_bool_true;
    isl_set_free(multiple);
    return array->n_dim == 1 || always;
}

static bool starts_at_multiples(const struct copied *copied, const struct access *access, int dim, int64_t n)
{
    isl_set *first = copied_first(copied, isl_set_copy(copied->statement->domain), n), *multiple;
    bool starts;

    first = isl_set_apply(first, isl_map_copy(access->map));
    first = isl_set_intersect_params(first, isl_set_copy(copied->program->context));
    multiple = multiples(isl_set_copy(first), dim, n);
    starts = isl_set_is_subset(first, multiple) == isl_bool_true;
    isl_set_free(first);
    isl_set_free(multiple);
    return starts;
}

/* An argument is where its declaration says; what is made here is put where it has to be. */
static bool is_aligned(const struct array *array, int64_t n)
{
    return array->role == ROLE_TEMP || array->align * 8 >= n * type_bits(array->type);
}

bool copied_are_whole(const struct copied *copied, int64_t n)
{
    isl_map *runs = copied_runs(copied, n);
    bool whole = true;

    for (int k = 0; k < copied->n_part && whole; k++)
        whole = is_whole(copied, copied->part[k], runs);
    isl_map_free(runs);
    return whole;
}

bool copied_are_neighbours(const struct copied *copied, int k, int64_t n)
{
    const struct access *access = &copied->statement->access[k];
    const int dim = fastest_dimension(access->array);

    return dim >= 0 && is_aligned(access->array, n) && rows_are_multiples(copied, access->array, dim, n) &&
           starts_at_multiples(copied, access, dim, n) && elements_follow(copied, access, dim, n);
}

/* The value of dimension dim in all points of a set; false: it has not one that is known. */
static bool only_value(__isl_keep isl_set *set, int dim, int64_t *value)
{
    isl_val *least = isl_set_dim_min_val(isl_set_copy(set), dim), *most = isl_set_dim_max_val(isl_set_copy(set), dim);
    const bool one = isl_val_eq(least, most) == isl_bool_true;

    isl_val_free(most);
    return poly_number(least, value) && one;
}

/* The one point of a set of steps in the elements of an array that is dense and of constant extents; 0: it has not one
 * point. */
static int64_t step_in_memory(const struct array *array, __isl_keep isl_set *steps)
{
    int64_t distance = 0, size = 1, step;

    for (int k = array->n_dim - 1; k >= 0; k--) {
        const int dim = array->dim_order ? array->dim_order[k] : k;
        if (!only_value(steps, dim, &step) || (k > 0 && array->shape[dim]->kind != EXPR_INT))
            return 0;
        distance += step * size;
        if (k > 0)
            size *= array->shape[dim]->integer + (k == array->n_dim - 1 ? array->pad : 0);
    }
    return distance;
}

int64_t copied_distance(const struct copied *copied, int k, int64_t n)
{
    const struct access *access = &copied->statement->access[k];
    isl_set *steps;
    int64_t distance;

    if (fastest_dimension(access->array) < 0)
        return 0;
    steps = isl_map_deltas(to_next_element(copied, access, n));
    distance = step_in_memory(access->array, steps);
    isl_set_free(steps);
    return distance;
}
