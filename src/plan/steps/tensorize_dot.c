/* tensorize on a CPU: lanes that each sum up a few products in one instruction. That the statement is what it computes
 * is found when its expressions are known (lower/instr/dots.c). */
#include "plan/steps/tensorize.h"

#include "plan/loop_plan.h"
#include "sched/edit.h"

enum status tensorize_dot(struct schedule *schedule, const struct step *step)
{
    const struct value *loops = step_value(step, "tensorize");
    struct loop_ref lanes, sum;
    struct loop_plan plan;
    enum status status;

    if (!edit_loop(schedule, &loops->item[0], &lanes) || !edit_is_single(schedule, &lanes, "tensorize") ||
        !edit_is_not_fusing(schedule, &lanes, "tensorize") || !edit_loop(schedule, &loops->item[1], &sum) ||
        !edit_is_single(schedule, &sum, "tensorize"))
        return STATUS_REFUSED;
    plan = loop_plan_of(lanes.info);
    plan.vector = true;
    plan.vector_step = step;
    status = loop_plan_set(schedule, lanes.info->id, &plan);
    if (status != STATUS_OK)
        return status;
    plan = loop_plan_of(sum.info);
    plan.dot_step = step;
    plan.unroll = UNROLL_LITERAL;
    plan.unroll_step = step;
    return loop_plan_set(schedule, sum.info->id, &plan);
}
