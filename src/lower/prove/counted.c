#include "lower/prove/counted.h"

#include "poly/graph.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/local_space.h>
#include <isl/map.h>
#include <isl/space.h>

/* { S[x] -> [c..] }: the space of instances and counts. */
static __isl_give isl_space *pair_space(const struct counts *counts)
{
    isl_space *space = isl_space_from_domain(isl_set_get_space(counts->leaf->statement->domain));

    return isl_space_add_dims(space, isl_dim_out, (unsigned)counts->n_loop);
}

/* The instances at their times. */
static __isl_give isl_map *timed(const struct counts *counts, const struct order *const *loop)
{
    isl_multi_pw_aff *times = isl_multi_pw_aff_zero(pair_space(counts));

    for (int k = 0; k < counts->n_loop; k++) {
        isl_space *space = isl_space_from_domain(isl_set_get_space(counts->leaf->statement->domain));
        space = isl_space_add_dims(space, isl_dim_out, 1);
        times = isl_multi_pw_aff_set_pw_aff(times, k, isl_union_pw_aff_extract_pw_aff(loop[k]->time, space));
    }
    return isl_map_intersect_domain(poly_graph(times), isl_set_copy(counts->leaf->domain));
}

/* The row over parameters and counts as a constraint, its other columns being 0. */
static __isl_give isl_constraint *constraint_of(struct lowering *lowering, const struct counts *counts,
                                                __isl_keep isl_local_space *space, const int64_t *row, bool equal)
{
    isl_ctx *ctx = lowering->program->ctx;
    isl_constraint *constraint = equal ? isl_constraint_alloc_equality(isl_local_space_copy(space))
                                       : isl_constraint_alloc_inequality(isl_local_space_copy(space));

    constraint = isl_constraint_set_constant_val(constraint, isl_val_int_from_si(ctx, row[counts->known.n]));
    for (int c = 0; c < counts->n_param; c++) {
        const char *name = lowering->program->param[c].name;
        const int at = isl_local_space_find_dim_by_name(space, isl_dim_param, name);
        if (row[c] != 0)
            constraint =
                isl_constraint_set_coefficient_val(constraint, isl_dim_param, at, isl_val_int_from_si(ctx, row[c]));
    }
    for (int k = 0; k < counts->n_loop; k++)
        constraint = isl_constraint_set_coefficient_val(constraint, isl_dim_out, k,
                                                        isl_val_int_from_si(ctx, row[counts->n_param + k]));
    return constraint;
}

/* The counts at what they say the instances are. */
static __isl_give isl_map *solved(struct lowering *lowering, const struct counts *counts)
{
    isl_local_space *space = isl_local_space_from_space(pair_space(counts));
    isl_basic_map *map = isl_basic_map_universe(pair_space(counts));

    for (int k = 0; k < counts->leaf->statement->n_loop; k++) {
        isl_constraint *value = constraint_of(lowering, counts, space, counts->argument[k], true);
        map = isl_basic_map_add_constraint(map, isl_constraint_set_coefficient_si(value, isl_dim_in, k, -1));
    }
    for (int k = 0; k < counts->known.row.n; k++) {
        const struct row *row = &counts->known.row.at[k];
        map = isl_basic_map_add_constraint(map, constraint_of(lowering, counts, space, row->at, row->equal));
    }
    isl_local_space_free(space);
    return isl_map_from_basic_map(map);
}

/* In the context: the counts do not tell again what it says. */
static bool are_same(struct lowering *lowering, __isl_keep isl_map *a, __isl_keep isl_map *b)
{
    isl_set *context = lowering->program->context;
    isl_map *first = isl_map_intersect_params(isl_map_copy(a), isl_set_copy(context));
    isl_map *second = isl_map_intersect_params(isl_map_copy(b), isl_set_copy(context));
    const bool same = isl_map_is_equal(first, second) == isl_bool_true;

    isl_map_free(first);
    isl_map_free(second);
    return same;
}

bool counts_are_those(struct lowering *lowering, const struct counts *counts, const struct order *const *loop)
{
    isl_map *order = timed(counts, loop), *own = solved(lowering, counts);
    bool same;

    if (counts->known.empty)
        same = isl_map_is_empty(order) == isl_bool_true;
    else
        same = isl_map_plain_is_equal(order, own) == isl_bool_true || are_same(lowering, order, own);
    isl_map_free(order);
    isl_map_free(own);
    return same;
}
