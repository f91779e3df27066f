/* skew: the element at (i, j) moves to (i + factor * j, j), counted from both loops' origins. */
#include "sched/edit.h"

struct skew {
    const struct loop_ref *by;
    isl_aff *origin; /* of by */
    int64_t factor;  /* in counts of the skewed loop */
};

static __isl_give isl_union_pw_aff *skewed_time(void *data, __isl_take isl_union_pw_aff *time)
{
    const struct skew *skew = data;
    isl_union_pw_aff *position = time_add(isl_union_pw_aff_copy(skew->by->time), skew->origin, -1);

    if (skew->by->info->unit > 1)
        position = time_floor_div(position, skew->by->info->unit);
    position =
        isl_union_pw_aff_intersect_domain_union_set(position, isl_union_pw_aff_domain(isl_union_pw_aff_copy(time)));
    return isl_union_pw_aff_add(time, time_scale(position, skew->factor));
}

/* Is every statement inside loop i also inside loop j? Reports one that is not. */
static enum status check_both_around(struct schedule *schedule, const struct loop_ref *i, const struct loop_ref *j)
{
    isl_union_set *rest = isl_union_set_subtract(isl_union_set_copy(i->domain), isl_union_set_copy(j->domain));
    const bool all = isl_union_set_is_empty(rest) != isl_bool_false;

    isl_union_set_free(rest);
    if (all)
        return STATUS_OK;
    return edit_refuse(schedule, j->place, "skew",
                       "separate the statements with `fission`, or give the order as a `map`",
                       "`%s` is not around every statement that `%s` is around", j->text, i->text);
}

static enum status skew_loop(struct schedule *schedule, const struct loop_ref *i, const struct loop_ref *j,
                             const struct step *step)
{
    struct skew skew = {j, edit_origin(schedule, j), step_int(step, "factor", 1) * i->info->unit};
    struct loop_info *info = edit_copy_info(schedule, i->info);
    enum status status;

    info->skewed = true;
    info->tile = info->span = 0; /* it goes through no tile any more */
    info->unroll_below = step_int(step, "unroll_below", 0);
    info->step = step;
    status = edit_replace(schedule, i, info, skewed_time, &skew);
    isl_aff_free(skew.origin);
    if (status == STATUS_OK && info->unroll_below) {
        struct loop_info *other = edit_copy_info(schedule, j->info);
        other->unroll_below = info->unroll_below;
        status = edit_replace(schedule, j, other, NULL, NULL);
    }
    return status;
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    struct loop_ref i, j;
    enum status status;

    if (!edit_loop_argument(schedule, step, "skew", &i) || !edit_loop_argument(schedule, step, "by", &j) ||
        !edit_is_single(schedule, &i, "skew") || !edit_is_single(schedule, &j, "skew by") ||
        !edit_is_not_fusing(schedule, &i, "skew"))
        return STATUS_REFUSED;
    if (i.info->id == j.info->id)
        return edit_refuse(schedule, j.place, "skew", NULL, "a loop cannot be skewed by itself");
    if (step_int(step, "factor", 1) == 0)
        return edit_refuse(schedule, step_place(step, "factor"), "skew", NULL, "a factor of 0 skews nothing");
    status = check_both_around(schedule, &i, &j);
    return status == STATUS_OK ? skew_loop(schedule, &i, &j, step) : status;
}

static const struct argument arguments[] = {
    {.key = "skew", .kind = ARGUMENT_LOOP, .required = true, .doc = "the loop that is skewed"},
    {.key = "by",
     .kind = ARGUMENT_LOOP,
     .required = true,
     .doc = "the loop whose position is added, around or inside the first"},
    {.key = "factor",
     .kind = ARGUMENT_INT,
     .minimum = -1024,
     .fallback = "1",
     .doc = "what the position is multiplied by; not 0"},
    {.key = "unroll_below",
     .kind = ARGUMENT_INT,
     .minimum = 0,
     .fallback = "0",
     .doc = "unroll pieces with fewer iterations than this"},
    {0},
};

const struct primitive primitive_skew = {
    .name = "skew",
    .summary = "move each slice of a loop by its position in another",
    .rule = "The values of the loop grow by `factor` times the position of another loop: with "
            "`skew` i `by` t, instance (t, i) runs at (t, i + t). The position is counted from the "
            "first value. After that the two loops can often be exchanged, or tiled.",
    .proved = "A skew by a loop around changes no order. A skew by a loop inside does, and each pair "
              "of dependent instances must keep its order.",
    .argument = arguments,
    .apply = apply,
};
