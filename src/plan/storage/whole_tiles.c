#include "plan/storage/whole_tiles.h"

#include "poly/coalesce.h"
#include "poly/graph.h"

#include <isl/aff.h>
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

__isl_give isl_set *whole_tiles_on_strides(__isl_take isl_set *domain, __isl_keep isl_set *own)
{
    const isl_size n = isl_set_dim(own, isl_dim_set);

    for (isl_size d = 0; d < n; d++) {
        isl_stride_info *info = isl_set_get_stride_info(own, (int)d);
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
    return domain;
}
