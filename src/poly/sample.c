#include "poly/sample.h"

#include <isl/ilp.h>
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

/* The smallest value of dimension pos; where there is none, the smallest natural number or the
 * largest negative one. */
static __isl_give isl_val *value_at(__isl_keep isl_set *set, unsigned pos)
{
    isl_val *value = isl_set_dim_min_val(isl_set_copy(set), (int)pos);
    isl_set *natural;

    if (isl_val_is_int(value) != isl_bool_false)
        return value;
    isl_val_free(value);
    natural = without_empty_parts(prefer_natural(isl_set_copy(set), pos));
    value = isl_set_dim_min_val(isl_set_copy(natural), (int)pos);
    if (isl_val_is_int(value) == isl_bool_false) {
        isl_val_free(value);
        value = isl_set_dim_max_val(isl_set_copy(natural), (int)pos);
    }
    isl_set_free(natural);
    return value;
}

/* Fixes the dimensions one after the other; false on an isl error. */
static bool fix_dimensions(__isl_take isl_set *set, int64_t *value, int n)
{
    bool ok = true;

    for (unsigned i = 0; ok && i < (unsigned)n; i++) {
        isl_val *found;

        set = without_empty_parts(set);
        found = value_at(set, i);

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
    return fix_dimensions(set, sample->param, n);
}
