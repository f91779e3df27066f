/* pad: moves a loop's origin to the front; nothing new runs, later cut points move. */
#include "sched/edit.h"

static enum status apply(struct schedule *schedule, const struct step *step)
{
    struct loop_ref ref;
    struct loop_info *info;

    if (!edit_loop_argument(schedule, step, "pad", &ref) || !edit_is_single(schedule, &ref, "pad"))
        return STATUS_REFUSED;
    info = edit_copy_info(schedule, ref.info);
    info->pad += step_int(step, "by", 0);
    info->step = step;
    if (info->pad > INT32_MAX)
        return edit_refuse(schedule, step_place(step, "by"), "range", NULL, "a pad of this size does not fit an int");
    return edit_replace(schedule, &ref, info, NULL, NULL);
}

static const struct argument arguments[] = {
    {.key = "pad", .kind = ARGUMENT_LOOP, .required = true, .doc = "the loop"},
    {.key = "by", .kind = ARGUMENT_INT, .required = true, .minimum = 0, .doc = "iterations put in front"},
    {0},
};

const struct primitive primitive_pad = {
    .name = "pad",
    .summary = "put empty iterations in front of a loop",
    .rule = "The loop's origin moves `by` iterations to the front; nothing runs in them. By itself "
            "this changes nothing: `split` starts tiles at the origin, and `fuse` pairs iterations "
            "from there.",
    .proved = "The instances and their order do not change. The `fuse` after it keeps the order of "
              "each pair of dependent instances.",
    .argument = arguments,
    .apply = apply,
};
