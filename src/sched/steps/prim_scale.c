/* scale: multiplies the values of a loop, which then steps by more. */
#include "sched/edit.h"
#include "poly/keep.h"

#include <isl/val.h>

static enum status apply(struct schedule *schedule, const struct step *step)
{
    const int64_t factor = step_int(step, "by", 1);
    struct loop_ref ref;
    struct loop_info *info;

    if (!edit_loop_argument(schedule, step, "scale", &ref) || !edit_is_single(schedule, &ref, "scale"))
        return STATUS_REFUSED;
    if (factor > INT32_MAX / (ref.info->stride < 0 ? -ref.info->stride : ref.info->stride))
        return edit_refuse(schedule, step_place(step, "by"), "range", NULL, "a step of this size does not fit an int");
    info = edit_copy_info(schedule, ref.info);
    info->stride *= factor;
    info->step = step;
    if (info->offset) {
        isl_val *value = isl_val_int_from_si(schedule->program->ctx, factor);
        info->offset = isl_aff_scale_val(isl_aff_copy(info->offset), value);
        poly_keep_aff(schedule->arena, info->offset);
    }
    return edit_replace(schedule, &ref, info, NULL, NULL);
}

static const struct argument arguments[] = {
    {.key = "scale", .kind = ARGUMENT_LOOP, .required = true, .doc = "the loop"},
    {.key = "by", .kind = ARGUMENT_INT, .required = true, .minimum = 1, .doc = "what its values are multiplied by"},
    {0},
};

const struct primitive primitive_scale = {
    .name = "scale",
    .summary = "multiply the values of a loop",
    .rule = "All values of the loop are multiplied, and its step with them. Loops whose values "
            "then mean the same, such as those of an image and of its half, may be fused by value.",
    .proved = "The order of the instances does not change, and the step fits an int. The `fuse` "
              "after it keeps the order of each pair of dependent instances.",
    .argument = arguments,
    .apply = apply,
};
