/* The second form of split: factors [4, -1, 16], as CINN's Split. */
#include "sched/steps/split.h"

#include <isl/val.h>

struct part {
    isl_aff *origin;
    int64_t below;  /* product of the later factors */
    int64_t factor; /* 0: unbounded (the inferred one of a symbolic extent) */
};

static __isl_give isl_union_pw_aff *part_time(void *data, __isl_take isl_union_pw_aff *time)
{
    const struct part *part = data;

    time = time_add(time, part->origin, -1);
    if (part->below > 1)
        time = time_floor_div(time, part->below);
    return part->factor ? time_mod(time, part->factor) : time;
}

static enum status bad_factors(struct schedule *schedule, const struct step *step, const char *why)
{
    return edit_refuse(schedule, step_place(step, "factors"), "factors", NULL, "%s", why);
}

/* Checks the factors by themselves: *product of the given ones, *inferred the place of -1 or -1. */
static enum status check_factors(struct schedule *schedule, const struct step *step, int64_t *product, int *inferred)
{
    const struct value *list = step_value(step, "factors");

    *product = 1;
    *inferred = -1;
    if (list->n_item == 0)
        return bad_factors(schedule, step, "there are no factors");
    for (int k = 0; k < list->n_item; k++) {
        const int64_t factor = list->item[k].integer;
        if (factor == 0)
            return bad_factors(schedule, step, "a factor of 0 leaves no iterations");
        if (factor < -1)
            return bad_factors(schedule, step, "a factor is positive, or -1 to be inferred");
        if (factor == -1 && *inferred >= 0)
            return bad_factors(schedule, step, "only one factor can be inferred from the others");
        if (factor == -1)
            *inferred = k;
        else if (factor > INT32_MAX / *product)
            return bad_factors(schedule, step, "the product of the factors does not fit an int");
        else
            *product *= factor;
    }
    return STATUS_OK;
}

/* Can the loop have counts that are not among the first product ones from the origin on, for some parameters? */
static bool can_exceed(struct schedule *schedule, const struct loop_ref *ref, __isl_keep isl_aff *origin,
                       int64_t product)
{
    isl_union_pw_aff *time = time_add(isl_union_pw_aff_copy(ref->time), origin, -1);
    isl_set *range = time_range(time, ref->domain), *first;
    bool exceeds;

    range = isl_set_intersect_params(range, isl_set_copy(schedule->program->context));
    first = isl_set_lower_bound_si(isl_set_universe(isl_set_get_space(range)), isl_dim_set, 0, 0);
    first = isl_set_upper_bound_si(first, isl_dim_set, 0, (int)product - 1);
    exceeds = isl_set_is_subset(range, first) != isl_bool_true;
    isl_set_free(first);
    isl_set_free(range);
    isl_union_pw_aff_free(time);
    return exceeds;
}

/* The factors with -1 replaced: by the constant that fits, or by 0 (no bound) on a symbolic extent. */
static enum status infer(struct schedule *schedule, const struct loop_ref *ref, const struct step *step,
                         __isl_keep isl_aff *origin, int64_t *factor)
{
    const struct value *list = step_value(step, "factors");
    int64_t product, size = 0;
    int inferred;
    isl_aff *aff;
    bool constant;
    enum status status = check_factors(schedule, step, &product, &inferred);

    if (status != STATUS_OK)
        return status;
    for (int k = 0; k < list->n_item; k++)
        factor[k] = list->item[k].integer;
    aff = edit_extent(schedule, ref);
    constant = aff_constant(aff, &size);
    isl_aff_free(aff);
    if (inferred < 0)
        return can_exceed(schedule, ref, origin, product)
                   ? bad_factors(schedule, step, "the product of the factors is below the extent of the loop")
                   : STATUS_OK;
    if (constant && product > size)
        return bad_factors(schedule, step, "the product of the other factors is above the extent of the loop");
    factor[inferred] = constant ? (size + product - 1) / product : 0;
    if (!constant && inferred > 0)
        return edit_refuse(schedule, step_place(step, "factors"), "factors", "infer the first factor",
                           "the extent is not a constant, so only the outermost factor can be inferred");
    return STATUS_OK;
}

static const char *part_name(struct schedule *schedule, const struct loop_ref *ref, const struct step *step, int k)
{
    const struct value *into = step_value(step, "into");

    return into ? into->item[k].string : edit_numbered_name(schedule, ref, k);
}

static bool names_free(struct schedule *schedule, const struct loop_ref *ref, const struct step *step, int n)
{
    const struct value *into = step_value(step, "into");

    if (!edit_list_free(schedule, into))
        return false;
    for (int k = 0; into && k < n; k++)
        if (!edit_name_free(schedule, ref, into->item[k].string, into->item[k].place))
            return false;
    return true;
}

/* outer: identity of the part around it, 0 for the outermost. */
static struct loop_info *part_info(struct schedule *schedule, const struct loop_ref *ref, const struct step *step,
                                   int k, int64_t factor, int outer)
{
    struct loop_info *info = edit_new_info(schedule, ref->info, part_name(schedule, ref, step, k), step);

    info->stride = 1;
    info->offset = NULL;
    info->pad = 0;
    info->tail = split_tail(step);
    info->pieces = true;
    info->skewed = false;
    info->unit = 1;
    info->outer = outer;
    info->rest = split_tail(step);
    info->tile = outer ? factor : 0;
    info->span = 0;
    info->uncut = NULL;
    return info;
}

/* Every part but the outermost always has all its iterations. */
static enum status prove_exact(struct schedule *schedule, const struct loop_ref *ref, const struct step *step,
                               const struct loop_info *const *info, const int64_t *factor, int n)
{
    for (int k = 1; k < n; k++) {
        const enum status status = split_prove_exact(schedule, ref, step, info[k]->id, factor[k]);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

/* Inserts the parts innermost first, then turns the loop itself into the outermost one. */
static enum status make_parts(struct schedule *schedule, const struct loop_ref *ref, const struct step *step,
                              __isl_keep isl_aff *origin, const int64_t *factor, int n)
{
    const struct loop_info **info = ARENA_ARRAY(schedule->arena, n, const struct loop_info *);
    struct part part = {origin, 1, 0};
    enum status status = STATUS_OK;

    for (int k = 0; k < n; k++)
        info[k] = part_info(schedule, ref, step, k, factor[k], k ? info[k - 1]->id : 0);
    for (int k = n - 1; k > 0 && status == STATUS_OK; k--) {
        part.factor = factor[k];
        status = edit_insert_inside(schedule, ref, info[k], part_time, &part);
        part.below *= factor[k];
    }
    part.factor = 0;
    if (status == STATUS_OK)
        status = edit_replace(schedule, ref, info[0], part_time, &part);
    if (status == STATUS_OK && split_tail(step) == TAIL_EXACT)
        status = prove_exact(schedule, ref, step, info, factor, n);
    return status;
}

enum status split_factors(struct schedule *schedule, const struct loop_ref *ref, const struct step *step)
{
    const struct value *list = step_value(step, "factors"), *into = step_value(step, "into");
    int64_t *factor = ARENA_ARRAY(schedule->arena, list->n_item + 1, int64_t);
    isl_aff *origin = edit_origin(schedule, ref);
    enum status status = infer(schedule, ref, step, origin, factor);

    if (status == STATUS_OK && into && into->n_item != list->n_item)
        status =
            edit_refuse(schedule, into->place, "split", NULL, "%d names for %d factors", into->n_item, list->n_item);
    if (status == STATUS_OK && !names_free(schedule, ref, step, list->n_item))
        status = STATUS_REFUSED;
    if (status == STATUS_OK)
        status = make_parts(schedule, ref, step, origin, factor, list->n_item);
    isl_aff_free(origin);
    return status;
}
