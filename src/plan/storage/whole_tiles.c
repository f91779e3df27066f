#include "plan/storage/whole_tiles.h"

#include "poly/coalesce.h"
#include "poly/graph.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/stride_info.h>
#include <isl/val.h>

/* domain with explicit bounds of the outer loops, which isl finds from those of the tiles only by way of divisions:
 * counts { [c] } of the path. Without quotients: they are no bounds, and a hull of pieces with such takes minutes. */
static __isl_give isl_set *within_counts(const struct path *path, const struct statement *statement,
                                         __isl_take isl_set *domain, __isl_keep isl_set *counts)
{
    for (int depth = 1; depth < path->depth; depth++) {
        const struct path outer = {path->loop, depth};
        isl_map *iteration = poly_graph(path_iteration(&outer, statement));
        isl_set *bounds =
            isl_set_project_out(isl_set_copy(counts), isl_dim_set, (unsigned)depth, (unsigned)(path->depth - depth));
        bounds = isl_set_from_basic_set(isl_set_simple_hull(poly_set_coalesce(isl_set_remove_divs(bounds))));
        domain = isl_set_intersect(domain, isl_set_apply(bounds, isl_map_reverse(iteration)));
    }
    return domain;
}

__isl_give isl_set *whole_tiles_of(const struct path *path, const struct statement *statement,
                                   __isl_take isl_set *domain)
{
    isl_map *tile = poly_graph(path_iteration(path, statement));
    isl_set *counts = isl_set_apply(domain, isl_map_copy(tile));

    domain = poly_set_coalesce(isl_set_apply(isl_set_copy(counts), isl_map_reverse(tile)));
    domain = within_counts(path, statement, domain, counts);
    isl_set_free(counts);
    return domain;
}

/* { S[..] }, with its equations only. */
static __isl_give isl_basic_set *equations_of(__isl_take isl_basic_set *set)
{
    isl_basic_set *equations = isl_basic_set_universe(isl_basic_set_get_space(set));
    isl_constraint_list *list = isl_basic_set_get_constraint_list(set);
    const isl_size n = isl_constraint_list_n_constraint(list);

    for (int k = 0; k < n; k++) {
        isl_constraint *constraint = isl_constraint_list_get_constraint(list, k);
        if (isl_constraint_is_equality(constraint) == isl_bool_true)
            equations = isl_basic_set_add_constraint(equations, constraint);
        else
            isl_constraint_free(constraint);
    }
    isl_constraint_list_free(list);
    isl_basic_set_free(set);
    return equations;
}

/* The set without its bounds, which make one point of a loop with a step that has no second iteration. */
static __isl_give isl_set *unbounded(__isl_keep isl_set *set)
{
    isl_set *all = isl_set_empty(isl_set_get_space(set));
    isl_basic_set_list *list = isl_set_get_basic_set_list(set);
    const isl_size n = isl_basic_set_list_n_basic_set(list);

    for (int k = 0; k < n; k++)
        all = isl_set_union(all, isl_set_from_basic_set(equations_of(isl_basic_set_list_get_basic_set(list, k))));
    isl_basic_set_list_free(list);
    return all;
}

__isl_give isl_set *whole_tiles_on_strides(__isl_take isl_set *domain, __isl_keep isl_set *own)
{
    isl_set *grid = unbounded(own);
    const isl_size n = isl_set_dim(own, isl_dim_set);

    for (isl_size d = 0; d < n; d++) {
        isl_stride_info *info = isl_set_get_stride_info(grid, (int)d);
        isl_val *stride = isl_stride_info_get_stride(info);
        if (isl_val_gt_si(stride, 1) == isl_bool_true) {
            isl_local_space *space = isl_local_space_from_space(isl_set_get_space(own));
            isl_aff *place = isl_aff_var_on_domain(space, isl_dim_set, (unsigned)d);
            place = isl_aff_sub(place, isl_stride_info_get_offset(info));
            place = isl_aff_mod_val(place, isl_val_copy(stride));
            domain = isl_set_intersect(domain, isl_set_from_basic_set(isl_aff_zero_basic_set(place)));
        }
        isl_val_free(stride);
        isl_stride_info_free(info);
    }
    isl_set_free(grid);
    return domain;
}
