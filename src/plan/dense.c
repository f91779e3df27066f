#include "plan/dense.h"

#include "poly/keep.h"
#include "poly/number.h"
#include "program/program.h"

#include <isl/val.h>

/* Counts: first + step * k. */
struct grid {
    isl_aff *first; /* of the parameters; kept by the arena */
    int64_t step;
};

static struct grid grid_of(struct schedule *schedule, const struct loop_ref *ref)
{
    isl_set *counts = time_range(ref->time, ref->domain);
    isl_stride_info *info;
    struct grid grid = {.step = 1};

    counts = isl_set_intersect_params(counts, isl_set_copy(schedule->program->context));
    info = isl_set_is_singleton(counts) == isl_bool_false ? isl_set_get_stride_info(counts, 0) : NULL;
    if (info && poly_number(isl_stride_info_get_stride(info), &grid.step) && grid.step > 1)
        grid.first = poly_keep_aff(schedule->arena, isl_aff_project_domain_on_params(isl_stride_info_get_offset(info)));
    if (!grid.first)
        grid.step = 1;
    isl_stride_info_free(info);
    isl_set_free(counts);
    return grid;
}

static __isl_give isl_union_pw_aff *steps(void *user, __isl_take isl_union_pw_aff *time)
{
    const struct grid *grid = user;

    return time_floor_div(time_add(time, grid->first, -1), grid->step);
}

/* The value of count 0: that of `first` before. */
static isl_aff *offset_of(struct schedule *schedule, const struct loop_info *info, const struct grid *grid)
{
    isl_val *stride = isl_val_int_from_si(isl_aff_get_ctx(grid->first), info->stride);
    isl_aff *offset = isl_aff_scale_val(isl_aff_copy(grid->first), stride);

    if (info->offset)
        offset = isl_aff_add(offset, isl_aff_copy(info->offset));
    return isl_aff_plain_is_zero(offset) == isl_bool_true ? (isl_aff_free(offset), NULL)
                                                          : poly_keep_aff(schedule->arena, offset);
}

static const struct loop_info *dense_info(struct schedule *schedule, const struct loop_info *like,
                                          const struct grid *grid)
{
    struct loop_info *info = edit_copy_info(schedule, like);

    info->offset = offset_of(schedule, like, grid);
    info->stride *= grid->step;
    info->pad = 0;
    info->span = like->tile % grid->step == 0 ? like->span : 0;
    info->tile = like->tile % grid->step == 0 ? like->tile / grid->step : 0;
    return info;
}

bool dense_loop(struct schedule *schedule, struct loop_ref *ref)
{
    struct grid grid = ref->info->unit == 1 ? grid_of(schedule, ref) : (struct grid){.step = 1};
    const int64_t stride = ref->info->stride < 0 ? -ref->info->stride : ref->info->stride;

    if (grid.step == 1)
        return true;
    if (grid.step > INT32_MAX / stride) {
        edit_refuse(schedule, ref->place, "range", NULL,
                    "from one iteration of `%s` to the next its value grows by %lld times %lld, which fits no int",
                    ref->info->name, (long long)stride, (long long)grid.step);
        return false;
    }
    ref->info = dense_info(schedule, ref->info, &grid);
    edit_replace(schedule, ref, ref->info, steps, &grid);
    schedule->original = schedule->order;
    ref->node = order_find(schedule->order, ref->info->id);
    ref->time = poly_keep_union_pw_aff(schedule->arena, steps(&grid, isl_union_pw_aff_copy(ref->time)));
    return ref->time;
}

static bool dense_at(struct schedule *schedule, const struct loop_info *info, struct place place)
{
    const struct loop_ref like = {.info = info, .place = place, .text = info->name};
    struct loop_ref ref;

    return loop_is_collapsed(info) || !edit_tuple_part(schedule, &like, 0, &ref) || dense_loop(schedule, &ref);
}

static bool has_inside(const struct order *order, int id)
{
    for (int k = 0; k < order->n_child; k++)
        if (order_find(order->child[k], id))
            return true;
    return false;
}

/* The loops of order, as it is before one changes, around the one with the identity. */
static bool each_around(struct schedule *schedule, const struct order *order, int id, struct place place)
{
    if (!has_inside(order, id))
        return true;
    if (order->kind == ORDER_LOOP && !dense_at(schedule, order->info, place))
        return false;
    for (int k = 0; k < order->n_child; k++)
        if (!each_around(schedule, order->child[k], id, place))
            return false;
    return true;
}

bool dense_around(struct schedule *schedule, int id, struct place place)
{
    return each_around(schedule, schedule->order, id, place);
}
