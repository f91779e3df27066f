/* unroll: the iterations of a loop one after the other, as text. */
#include "plan/loop_plan.h"
#include "sched/edit.h"

static enum status apply(struct schedule *schedule, const struct step *step)
{
    struct loop_ref ref;
    struct loop_plan plan;

    if (!edit_loop_argument(schedule, step, "unroll", &ref) || !edit_is_single(schedule, &ref, "unroll"))
        return STATUS_REFUSED;
    plan = loop_plan_of(ref.info);
    plan.unroll = step_int(step, "hint", 0) ? UNROLL_HINT : UNROLL_FULL;
    plan.unroll_step = step;
    return loop_plan_set(schedule, ref.info->id, &plan);
}

static const struct argument arguments[] = {
    {.key = "unroll", .kind = ARGUMENT_LOOP, .required = true, .doc = "a loop with a constant number of iterations"},
    {.key = "hint", .kind = ARGUMENT_BOOL, .fallback = "false", .doc = "leave it to the compiler, with its pragma"},
    {0},
};

const struct primitive primitive_unroll = {"unroll", "write the iterations of a loop out", arguments, apply};
