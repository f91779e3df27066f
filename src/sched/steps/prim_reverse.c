/* reverse: the loop runs from its last iteration to its first and keeps its values. */
#include "sched/edit.h"

static __isl_give isl_union_pw_aff *negated(void *data, __isl_take isl_union_pw_aff *time)
{
    (void)data;
    return isl_union_pw_aff_neg(time);
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    struct loop_ref ref;
    struct loop_info *info;

    if (!edit_loop_argument(schedule, step, "reverse", &ref) || !edit_is_single(schedule, &ref, "reverse"))
        return STATUS_REFUSED;
    info = edit_copy_info(schedule, ref.info);
    info->stride = -info->stride;
    info->pad = 0;
    info->step = step;
    return edit_replace(schedule, &ref, info, negated, NULL);
}

static const struct argument arguments[] = {
    {.key = "reverse", .kind = ARGUMENT_LOOP, .required = true, .doc = "the loop"},
    {0},
};

const struct primitive primitive_reverse = {
    .name = "reverse",
    .summary = "run a loop backwards",
    .rule = "The loop runs from its last value to its first. Its values stay the same.",
    .proved = "The loop carries no dependence. Sums of floats carry one, unless `\"permit\": "
              "[\"reassociate\"]` frees their order.",
    .argument = arguments,
    .apply = apply,
};
