/* split: one loop becomes an outer loop of tiles and an inner loop within each tile. */
#include "sched/steps/split.h"
#include "poly/keep.h"

#include <isl/val.h>

struct cut_points {
    isl_aff *origin;
    int64_t by;
};

/* floor((time - origin) / by) */
static __isl_give isl_union_pw_aff *tile_time(void *data, __isl_take isl_union_pw_aff *time)
{
    const struct cut_points *points = data;

    return time_floor_div(time_add(time, points->origin, -1), points->by);
}

/* (time - origin) mod by */
static __isl_give isl_union_pw_aff *within_time(void *data, __isl_take isl_union_pw_aff *time)
{
    const struct cut_points *points = data;

    return time_mod(time_add(time, points->origin, -1), points->by);
}

__isl_give isl_aff *split_offset(const struct loop_info *info, __isl_keep isl_aff *origin)
{
    isl_val *stride = isl_val_int_from_si(isl_aff_get_ctx(origin), info->stride);
    isl_aff *offset = isl_aff_scale_val(isl_aff_copy(origin), stride);

    return info->offset ? isl_aff_add(offset, isl_aff_copy(info->offset)) : offset;
}

enum tail split_tail(const struct step *step)
{
    static const char *const word[] = {
        [TAIL_AUTO] = "auto", [TAIL_PEEL] = "peel",   [TAIL_GUARD] = "guard",      [TAIL_EXACT] = "exact",
        [TAIL_MASK] = "mask", [TAIL_CASES] = "cases", [TAIL_ROUND_UP] = "round_up"};
    const char *asked = step_string(step, "tail", "auto");
    int k = 0;

    while (k < TAIL_ROUND_UP && strcmp(word[k], asked) != 0)
        k++;
    return (enum tail)k;
}

static struct loop_info *outer_info(struct schedule *schedule, const struct loop_ref *ref, const struct step *step,
                                    const struct cut_points *points)
{
    struct loop_info *info = edit_copy_info(schedule, ref->info);

    info->stride = ref->info->stride * points->by;
    info->unit = 1;
    info->offset = split_offset(ref->info, points->origin);
    poly_keep_aff(schedule->arena, info->offset);
    info->pad = 0;
    info->tail = split_tail(step);
    info->pieces = true;
    info->step = step;
    return info;
}

static struct loop_info *inner_info(struct schedule *schedule, const struct loop_ref *ref, const struct step *step,
                                    int64_t by, const char *name)
{
    struct loop_info *info = edit_new_info(schedule, ref->info, name, step);
    const enum tail tail = split_tail(step);

    info->stride = ref->info->stride < 0 ? -ref->info->stride : ref->info->stride;
    info->offset = NULL;
    info->pad = 0;
    info->skewed = false;
    info->outer = ref->info->id;
    info->uncut = NULL;
    info->rest = tail == TAIL_AUTO ? ref->info->rest : tail;
    info->tile = by;
    info->span = by * info->stride;
    return info;
}

enum status split_loop(struct schedule *schedule, const struct loop_ref *ref, const struct step *step, int64_t by,
                       const char *name)
{
    const struct loop_info *inner;
    struct cut_points points;
    enum status status;

    if (ref->info->stride * ref->info->unit > INT32_MAX / by)
        return edit_refuse(schedule, step_place(step, "by"), "range", NULL, "tiles of this size do not fit an int");
    points = (struct cut_points){edit_origin(schedule, ref), by * ref->info->unit};
    inner = inner_info(schedule, ref, step, by, name);
    status = edit_insert_inside(schedule, ref, inner, within_time, &points);
    if (status == STATUS_OK)
        status = edit_replace(schedule, ref, outer_info(schedule, ref, step, &points), tile_time, &points);
    isl_aff_free(points.origin);
    return status;
}

static const char *inner_name(struct schedule *schedule, const struct loop_ref *ref, const struct step *step)
{
    const char *name = step_string(step, "as", NULL);

    if (!name)
        return edit_inner_name(schedule, ref);
    return edit_name_free(schedule, ref, name, step_place(step, "as")) ? name : NULL;
}

static enum status split_by(struct schedule *schedule, const struct loop_ref *ref, const struct step *step)
{
    const char *name = inner_name(schedule, ref, step);
    enum status status;

    if (!name)
        return STATUS_REFUSED;
    if (ref->info->tuple > 1)
        return split_tuple(schedule, ref, step, name);
    status = split_loop(schedule, ref, step, step_int(step, "by", 1), name);
    if (status == STATUS_OK && split_tail(step) == TAIL_EXACT)
        status = split_prove_exact(schedule, ref, step, order_find(schedule->order, ref->info->id)->child[0]->info->id,
                                   step_int(step, "by", 1));
    return status;
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    struct loop_ref ref;
    const bool by = step_value(step, "by") != NULL, factors = step_value(step, "factors") != NULL;

    if (!edit_loop_argument(schedule, step, "split", &ref) ||
        (!split_is_of_tuple(schedule, &ref, step) && !edit_is_single(schedule, &ref, "split")))
        return STATUS_REFUSED;
    if (by == factors)
        return edit_refuse(schedule, step->place, "split", NULL, "split needs either `by` or `factors`");
    if (step_value(step, by ? "into" : "as"))
        return edit_refuse(schedule, step_place(step, by ? "into" : "as"), "split", NULL,
                           by ? "`into` names the parts of `factors`; the inner part of `by` is named with `as`"
                              : "`as` names the inner part of `by`; the parts of `factors` are named with `into`");
    return by ? split_by(schedule, &ref, step) : split_factors(schedule, &ref, step);
}

static const struct argument arguments[] = {
    {.key = "split", .kind = ARGUMENT_LOOP, .required = true, .doc = "the loop; it becomes the outer part"},
    {.key = "by", .kind = ARGUMENT_INT, .minimum = 1, .doc = "iterations of a tile"},
    {.key = "as", .kind = ARGUMENT_NAME, .fallback = "jj for j", .doc = "name of the inner part"},
    {.key = "factors", .kind = ARGUMENT_INTS, .doc = "extents of the parts, outermost first; one may be -1"},
    {.key = "into", .kind = ARGUMENT_NAMES, .fallback = "j_0, j_1, ...", .doc = "names of the parts"},
    {.key = "tail",
     .kind = ARGUMENT_CHOICE,
     .choices = "auto peel guard cases mask round_up exact",
     .fallback = "auto",
     .doc = "how the remainder is emitted"},
    {0},
};

const struct primitive primitive_split = {
    .name = "split",
    .summary = "cut a loop into tiles",
    .rule = "A loop of n iterations becomes a loop over tiles and a loop inside of a tile. The "
            "outer loop keeps its name and counts the first value of each tile; the inner one "
            "counts from 0. It is called jj for j, then jjj, and row_1 for row. Tiles start at the "
            "loop's smallest value. `factors` gives the extents of several parts at once, and each "
            "part counts from 0. `tail` says how an incomplete last tile is emitted.",
    .proved = "The order of the instances does not change. `exact` needs a proof that tiles divide "
              "the loop at all sizes that `assume` allows; `mask` and `round_up` are proved when "
              "the plan is complete.",
    .argument = arguments,
    .apply = apply,
};
