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
