#include "plan/device/sync/pairs.h"

#include "dep/apart.h"
#include "plan/device/sync/waited.h"
#include "poly/keep.h"
#include "program/program.h"

static isl_union_map **new_list(const struct conflicts *conflicts)
{
    return ARENA_ARRAY(conflicts->arena, conflicts->n + 1, isl_union_map *);
}

conflict_pairs pairs_none(const struct conflicts *conflicts)
{
    isl_union_map **none = new_list(conflicts);

    for (int k = 0; k < conflicts->n; k++)
        none[k] = poly_keep_union_map(conflicts->arena, isl_union_map_empty(program_params_space(conflicts->program)));
    return none;
}

conflict_pairs pairs_joined(const struct conflicts *conflicts, conflict_pairs a, conflict_pairs b)
{
    isl_union_map **all = new_list(conflicts);

    for (int k = 0; k < conflicts->n; k++)
        all[k] = poly_keep_union_map(conflicts->arena,
                                     isl_union_map_union(isl_union_map_copy(a[k]), isl_union_map_copy(b[k])));
    return all;
}

conflict_pairs pairs_within(const struct conflicts *conflicts, conflict_pairs pairs, __isl_take isl_union_map *to)
{
    isl_union_map **some = new_list(conflicts);

    for (int k = 0; k < conflicts->n; k++)
        some[k] = poly_keep_union_map(conflicts->arena,
                                      isl_union_map_intersect(isl_union_map_copy(pairs[k]), isl_union_map_copy(to)));
    isl_union_map_free(to);
    return some;
}

void pairs_divide(const struct conflicts *conflicts, conflict_pairs pairs, __isl_keep isl_union_pw_aff *time,
                  conflict_pairs *earlier, conflict_pairs *at_once)
{
    isl_union_map **before = new_list(conflicts), **together = new_list(conflicts);

    for (int k = 0; k < conflicts->n; k++) {
        isl_multi_union_pw_aff *own = isl_multi_union_pw_aff_from_union_pw_aff(isl_union_pw_aff_copy(time));
        const struct apart apart =
            pairs_apart(isl_union_map_copy(pairs[k]), own, 1u << PAIRS_EARLIER | 1u << PAIRS_AT_ONCE);
        before[k] = poly_keep_union_map(conflicts->arena, apart.pairs[PAIRS_EARLIER]);
        together[k] = poly_keep_union_map(conflicts->arena, apart.pairs[PAIRS_AT_ONCE]);
    }
    *earlier = before;
    *at_once = together;
}

conflict_pairs pairs_between(const struct conflicts *conflicts, conflict_pairs pairs, const struct order *a,
                             const struct order *b)
{
    return pairs_within(conflicts, pairs, isl_union_map_from_domain_and_range(order_domain(a), order_domain(b)));
}

conflict_pairs pairs_left(const struct conflicts *conflicts, conflict_pairs pairs, const struct order *a,
                          const struct order *b)
{
    isl_union_map **left = new_list(conflicts);

    for (int k = 0; k < conflicts->n; k++)
        left[k] =
            poly_keep_union_map(conflicts->arena, waited_left(conflicts->program, &conflicts->list[k], pairs[k], a, b));
    return left;
}

conflict_pairs pairs_leaving(const struct conflicts *conflicts, conflict_pairs pairs, const struct order *const *child,
                             int a, int last)
{
    conflict_pairs none = pairs_none(conflicts), left = pairs_left(conflicts, pairs, child[a], NULL);
    isl_union_map **some = new_list(conflicts);

    for (int k = 0; k < conflicts->n; k++)
        some[k] = waited_among(child, a, last, &conflicts->list[k]) ? none[k] : left[k];
    return some;
}

__isl_give isl_union_set *pairs_later(const struct conflicts *conflicts, conflict_pairs pairs)
{
    isl_union_set *later = isl_union_set_empty(program_params_space(conflicts->program));

    for (int k = 0; k < conflicts->n; k++)
        later = isl_union_set_union(later, isl_union_map_range(isl_union_map_copy(pairs[k])));
    return later;
}

bool pairs_mark(const struct conflicts *conflicts, conflict_pairs pairs, bool *marked)
{
    bool any = false;

    for (int k = 0; k < conflicts->n; k++) {
        const bool some = conflict_some(&conflicts->list[k], pairs[k]);
        marked[k] |= some;
        any |= some;
    }
    return any;
}
