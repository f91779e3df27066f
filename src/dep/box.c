#include "dep/box.h"

#include "poly/coalesce.h"
#include "poly/context.h"
#include "poly/number.h"

#include <isl/fixed_box.h>
#include <isl/space.h>
#include <isl/stride_info.h>
#include <isl/val.h>

/* What a simpler function may cost: isl looks for equalities of the domain by the way. */
enum { SIMPLER_OPERATIONS = 10 * 1000 };

/* The function, simplified where its domain allows and that does not take long. */
static __isl_give isl_pw_multi_aff *simpler(__isl_take isl_pw_multi_aff *function, __isl_take isl_set *domain)
{
    isl_ctx *ctx = isl_pw_multi_aff_get_ctx(function);
    const unsigned long budget = poly_part_begin(ctx, SIMPLER_OPERATIONS);
    isl_pw_multi_aff *simple = isl_pw_multi_aff_gist(isl_pw_multi_aff_copy(function), domain);

    if (poly_part_end(ctx, budget) && simple) {
        isl_pw_multi_aff_free(function);
        return simple;
    }
    isl_pw_multi_aff_free(simple);
    return function;
}

/* The one element of each iteration, { [c] -> [a] }; false when there are several. */
static bool measure_single(struct box *box, __isl_keep isl_map *map)
{
    isl_pw_multi_aff *function;

    if (isl_map_is_single_valued(map) != isl_bool_true)
        return false;
    function = poly_pw_multi_aff_coalesce(isl_pw_multi_aff_from_map(isl_map_copy(map)));
    function = simpler(function, isl_map_domain(isl_map_copy(map)));
    if (isl_pw_multi_aff_isa_multi_aff(function) == isl_bool_true) {
        isl_multi_aff *aff = isl_pw_multi_aff_as_multi_aff(isl_pw_multi_aff_copy(function));
        box->offset = isl_multi_aff_get_aff(aff, 0);
        box->size = 1;
        isl_multi_aff_free(aff);
    }
    isl_pw_multi_aff_free(function);
    return box->size == 1;
}

static void measure_hull(struct box *box, __isl_keep isl_map *map)
{
    isl_fixed_box *hull = isl_map_get_range_simple_fixed_box_hull(map);

    if (isl_fixed_box_is_valid(hull) == isl_bool_true) {
        isl_multi_val *size = isl_fixed_box_get_size(hull);
        isl_multi_aff *offset = isl_fixed_box_get_offset(hull);
        if (poly_number(isl_multi_val_get_val(size, 0), &box->size))
            box->offset = isl_multi_aff_get_aff(offset, 0);
        isl_multi_val_free(size);
        isl_multi_aff_free(offset);
    }
    isl_fixed_box_free(hull);
}

struct box box_measure(__isl_keep isl_map *map)
{
    struct box box = {.stride = 1};

    if (!measure_single(&box, map))
        measure_hull(&box, map);
    return box;
}

/* { [c] -> [y] : offset(c) + stride * y in map(c) } */
static __isl_give isl_map *divided(__isl_keep isl_map *map, __isl_keep isl_aff *offset, int64_t stride)
{
    isl_space *space = isl_space_range(isl_map_get_space(map));
    isl_multi_aff *times = isl_multi_aff_identity(isl_space_map_from_set(space));

    times = isl_multi_aff_scale_val(times, isl_val_int_from_si(isl_map_get_ctx(map), stride));
    map = isl_map_sum(isl_map_copy(map), isl_map_from_aff(isl_aff_neg(isl_aff_copy(offset))));
    return isl_map_preimage_range_multi_aff(map, times);
}

static void stretch(struct box *box, __isl_keep isl_aff *offset, int64_t stride)
{
    isl_val *factor = isl_val_int_from_si(isl_aff_get_ctx(offset), stride);

    box->offset = isl_aff_add(isl_aff_scale_val(box->offset, factor), isl_aff_copy(offset));
    box->stride = stride;
}

struct box box_measure_strided(__isl_keep isl_map *map)
{
    isl_stride_info *info = isl_map_get_range_stride_info(map, 0);
    isl_aff *offset = isl_stride_info_get_offset(info);
    struct box box = {.stride = 1};
    int64_t stride;
    isl_map *steps;

    if (!poly_number(isl_stride_info_get_stride(info), &stride) || stride <= 1) {
        box = box_measure(map);
    } else {
        steps = divided(map, offset, stride);
        box = box_measure(steps);
        if (box.size > 0)
            stretch(&box, offset, stride);
        isl_map_free(steps);
    }
    isl_aff_free(offset);
    isl_stride_info_free(info);
    return box;
}

void box_release(struct box *box)
{
    box->offset = isl_aff_free(box->offset);
}

__isl_give isl_map *box_dimension(__isl_keep isl_map *elements, int dim)
{
    const unsigned n = (unsigned)isl_map_dim(elements, isl_dim_out), at = (unsigned)dim;
    isl_map *map = isl_map_reset_tuple_id(isl_map_copy(elements), isl_dim_out);

    map = isl_map_project_out(map, isl_dim_out, at + 1, n - at - 1);
    return poly_map_coalesce(isl_map_project_out(map, isl_dim_out, 0, at));
}
