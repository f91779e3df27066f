#include "auto/related.h"

#include <isl/constraint.h>

/* a - b - by, as what is to be 0 or more. */
static __isl_give isl_set *constrained(__isl_take isl_set *set, __isl_take isl_constraint *one, int a, int b, int by)
{
    one = isl_constraint_set_coefficient_si(one, isl_dim_set, a, 1);
    one = isl_constraint_set_coefficient_si(one, isl_dim_set, b, -1);
    return isl_set_add_constraint(set, isl_constraint_set_constant_si(one, -by));
}

static __isl_give isl_local_space *space_of(__isl_keep isl_set *set)
{
    return isl_local_space_from_space(isl_set_get_space(set));
}

__isl_give isl_set *set_ahead(__isl_take isl_set *set, int a, int b, int by)
{
    isl_constraint *ahead = isl_constraint_alloc_inequality(space_of(set));

    return constrained(set, ahead, a, b, by);
}

__isl_give isl_set *set_level(__isl_take isl_set *set, int a, int b)
{
    isl_constraint *equal = isl_constraint_alloc_equality(space_of(set));

    return constrained(set, equal, a, b, 0);
}

bool set_is_none(__isl_take isl_set *set)
{
    const bool is = isl_set_is_empty(set) == isl_bool_true;

    isl_set_free(set);
    return is;
}

bool accesses_are_level(const struct access *a, int dim_a, const struct access *b, int dim_b)
{
    isl_map *pairs = isl_map_apply_range(isl_map_copy(a->map), isl_map_reverse(isl_map_copy(b->map)));
    isl_map *same = isl_map_equate(isl_map_copy(pairs), isl_dim_in, dim_a, isl_dim_out, dim_b);
    bool are;

    same = isl_map_equate(same, isl_dim_in, 1 - dim_a, isl_dim_out, 1 - dim_b);
    are = isl_map_is_subset(pairs, same) == isl_bool_true;
    isl_map_free(pairs);
    isl_map_free(same);
    return are;
}
