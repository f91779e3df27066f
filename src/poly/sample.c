#include "poly/sample.h"

#include <isl/aff.h>
#include <isl/ilp.h>
#include <isl/local_space.h>
#include <isl/lp.h>
#include <isl/map.h>
#include <isl/space.h>
#include <isl/val.h>

/* One anonymous, parameter-free space: the parameters first, then the dimensions. */
static __isl_give isl_set *flatten(__isl_take isl_set *set, int n_param)
{
    set = isl_set_flatten(set);
    set = isl_set_reset_tuple_id(set);
    return isl_set_move_dims(set, isl_dim_set, 0, isl_dim_param, 0, (unsigned)n_param);
}

static isl_stat add_unless_empty(__isl_take isl_basic_set *part, void *user)
{
    isl_set **kept = user;
    const isl_bool empty = isl_basic_set_is_empty(part);

    if (empty == isl_bool_false)
        *kept = isl_set_union(*kept, isl_set_from_basic_set(part));
    else
        isl_basic_set_free(part);
    return empty < 0 ? isl_stat_error : isl_stat_ok;
}

/* isl takes the minimum over a part without integer points for "not a number", and that for the whole answer. */
static __isl_give isl_set *without_empty_parts(__isl_take isl_set *set)
{
    isl_set *kept = isl_set_empty(isl_set_get_space(set));

    if (isl_set_foreach_basic_set(set, add_unless_empty, &kept) < 0)
        kept = isl_set_free(kept);
    isl_set_free(set);
    return kept;
}

/* The part of set where dimension pos is not negative, or set itself where that part is empty. */
static __isl_give isl_set *prefer_natural(__isl_take isl_set *set, unsigned pos)
{
    isl_set *natural = isl_set_lower_bound_si(isl_set_copy(set), isl_dim_set, pos, 0);

    if (isl_set_is_empty(natural) == isl_bool_true) {
        isl_set_free(natural);
        return set;
    }
    isl_set_free(set);
    return natural;
}

/* A part of a set, and the rational bound of the dimension at hand. */
struct part {
    isl_basic_set *points;
    isl_val *low;
};

/* Of parts that may have a smaller value than least (NULL: any), the one with the smallest bound; NULL: none. */
static struct part *most_promising(struct part *part, int n, __isl_keep isl_val *least)
{
    struct part *best = NULL;

    for (int k = 0; k < n; k++)
        if (part[k].points && (!best || isl_val_lt(part[k].low, best->low) == isl_bool_true))
            best = &part[k];
    return best && (!least || isl_val_lt(best->low, least) == isl_bool_true) ? best : NULL;
}

/* The points of a part where the dimension is below a value (NULL: all). */
static __isl_give isl_set *points_below(__isl_take isl_basic_set *points, unsigned pos, __isl_keep isl_val *value)
{
    isl_set *set = isl_set_from_basic_set(points);

    if (value)
        set = isl_set_upper_bound_val(set, isl_dim_set, pos, isl_val_sub_ui(isl_val_copy(value), 1));
    return set;
}

/* The smallest value of the dimension; NULL where it has none, as bounds allow but no whole number does. */
static __isl_give isl_val *least_in(__isl_take isl_set *points, unsigned pos)
{
    if (isl_set_is_empty(points) == isl_bool_false)
        return isl_set_dim_min_val(points, (int)pos);
    isl_set_free(points);
    return NULL;
}

/* The smallest value among parts that are bounded; few need a search for whole numbers, and those that cannot have
 * a smaller one than is known none for their own smallest. */
static __isl_give isl_val *least_of(struct part *part, int n, unsigned pos)
{
    isl_val *least = NULL;

    for (struct part *best; (best = most_promising(part, n, least)) != NULL;) {
        isl_val *own = least_in(points_below(best->points, pos, least), pos);
        best->points = NULL;
        if (own) {
            isl_val_free(least);
            least = own;
        }
    }
    return least;
}

/* The parts that have rational points, with the bounds; *bounded: all have one. */
static int parts_of(__isl_keep isl_set *set, unsigned pos, struct part *part, bool *bounded)
{
    isl_basic_set_list *list = isl_set_get_basic_set_list(set);
    isl_local_space *space = isl_local_space_from_space(isl_set_get_space(set));
    isl_aff *value = isl_aff_var_on_domain(space, isl_dim_set, pos);
    const int all = (int)isl_basic_set_list_size(list);
    int n = 0;

    *bounded = true;
    for (int k = 0; k < all; k++) {
        isl_basic_set *points = isl_basic_set_list_get_at(list, k);
        isl_val *low = isl_basic_set_min_lp_val(points, value);
        if (isl_val_is_nan(low) == isl_bool_false) {
            *bounded = *bounded && isl_val_is_rat(low) == isl_bool_true;
            part[n++] = (struct part){points, isl_val_ceil(low)};
            continue;
        }
        isl_val_free(low);
        isl_basic_set_free(points);
    }
    isl_basic_set_list_free(list);
    isl_aff_free(value);
    return n;
}

/* The smallest value of dimension pos, where bounds give one. */
static __isl_give isl_val *bounded_value_at(struct arena *arena, __isl_keep isl_set *set, unsigned pos)
{
    const isl_size all = isl_set_n_basic_set(set);
    struct part *part = ARENA_ARRAY(arena, (all > 0 ? all : 0) + 1, struct part);
    bool bounded;
    const int n = parts_of(set, pos, part, &bounded);
    isl_val *least = bounded ? least_of(part, n, pos) : NULL;

    for (int k = 0; k < n; k++) {
        isl_basic_set_free(part[k].points);
        isl_val_free(part[k].low);
    }
    return least;
}

/* The smallest value of dimension pos; where there is none, the smallest natural number or the
 * largest negative one. */
static __isl_give isl_val *value_at(struct arena *arena, __isl_take isl_set *set, unsigned pos)
{
    isl_val *value = bounded_value_at(arena, set, pos);

    if (value) {
        isl_set_free(set);
        return value;
    }
    set = without_empty_parts(set);
    value = isl_set_dim_min_val(isl_set_copy(set), (int)pos);
    if (isl_val_is_int(value) != isl_bool_false) {
        isl_set_free(set);
        return value;
    }
    isl_val_free(value);
    set = without_empty_parts(prefer_natural(set, pos));
    value = isl_set_dim_min_val(isl_set_copy(set), (int)pos);
    if (isl_val_is_int(value) == isl_bool_false) {
        isl_val_free(value);
        value = isl_set_dim_max_val(isl_set_copy(set), (int)pos);
    }
    isl_set_free(set);
    return value;
}

/* Fixes the dimensions one after the other; false on an isl error. */
static bool fix_dimensions(struct arena *arena, __isl_take isl_set *set, int64_t *value, int n)
{
    bool ok = true;

    for (unsigned i = 0; ok && i < (unsigned)n; i++) {
        isl_val *found = value_at(arena, isl_set_copy(set), i);

        ok = isl_val_is_int(found) == isl_bool_true;
        if (ok) /* where it does not fit, isl makes an error of it, which the end of the stage tells */
            value[i] = isl_val_get_num_si(found);
        set = isl_set_fix_val(set, isl_dim_set, i, found);
    }
    ok = ok && isl_set_is_empty(set) == isl_bool_false;
    isl_set_free(set);
    return ok;
}

bool poly_smallest(struct arena *arena, __isl_take isl_set *set, struct sample *sample)
{
    const isl_size n_param = isl_set_dim(set, isl_dim_param);
    isl_size n;

    set = flatten(set, n_param > 0 ? n_param : 0);
    n = isl_set_dim(set, isl_dim_set);
    if (n_param < 0 || n < 0 || isl_set_is_empty(set) != isl_bool_false) {
        isl_set_free(set);
        return false;
    }
    sample->n_param = n_param;
    sample->n_dim = n - n_param;
    sample->param = ARENA_ARRAY(arena, n, int64_t);
    sample->dim = sample->param + n_param;
    return fix_dimensions(arena, set, sample->param, n);
}
