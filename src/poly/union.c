#include "poly/union.h"

/* Of pieces first..first + n - 1; pairs of sets of similar size, so that each piece takes part in few comparisons. */
static __isl_give isl_set *union_of(__isl_keep isl_basic_set_list *pieces, int first, int n)
{
    if (n == 1)
        return isl_set_from_basic_set(isl_basic_set_list_get_basic_set(pieces, first));
    if (n == 2)
        return isl_basic_set_union(isl_basic_set_list_get_basic_set(pieces, first),
                                   isl_basic_set_list_get_basic_set(pieces, first + 1));
    return isl_set_union(union_of(pieces, first, n / 2), union_of(pieces, first + n / 2, n - n / 2));
}

__isl_give isl_set *poly_union(__isl_take isl_basic_set_list *pieces)
{
    const isl_size n = isl_basic_set_list_n_basic_set(pieces);
    isl_set *set = n > 0 ? union_of(pieces, 0, n) : NULL;

    isl_basic_set_list_free(pieces);
    return set;
}
