/* tensorize: a tile of a matrix product as one matrix instruction, of a warp on a GPU, of registers that hold tiles
 * on a CPU; on a GPU also what is computed of such tiles element by element. That the statement is what the
 * instruction computes is found when its expressions are known (lower/instr/tensors.c, lower/instr/tiles.c). */
#include "plan/steps/tensorize.h"

#include "plan/loop_plan.h"
#include "caps/gpu.h"
#include "caps/language.h"
#include "caps/simd.h"
#include "sched/edit.h"

static enum status mark(struct schedule *schedule, const struct step *step, const struct value *name, int place)
{
    struct loop_ref ref;
    struct loop_plan plan;

    if (!edit_loop(schedule, name, &ref) || !edit_is_single(schedule, &ref, "tensorize") ||
        !edit_is_not_fusing(schedule, &ref, "tensorize"))
        return STATUS_REFUSED;
    plan = loop_plan_of(ref.info);
    if (plan.axis != AXIS_NONE)
        return edit_refuse(schedule, name->place, "tensorize", "the 32 threads of a warp share the tile",
                           "`%s` is bound to %s", ref.info->name, axis_name(plan.axis));
    plan.tensor = place;
    plan.tensor_step = step;
    plan.unroll = UNROLL_LITERAL;
    plan.unroll_step = step;
    return loop_plan_set(schedule, ref.info->id, &plan);
}

/* Are there as many loops as instructions of the target have? */
static enum status check_loops(struct schedule *schedule, const struct value *loops)
{
    const struct target_options *target = &schedule->program->target;
    const struct simd *simd = simd_by_name(target->simd);
    const struct gpu *gpu = gpu_by_language(target->language);

    if (gpu && gpu->n_matrix == 0)
        return edit_refuse(schedule, loops->place, "tensorize", NULL, "%s has no matrix instructions here",
                           language_by_name(target->language)->title);
    if (gpu)
        return loops->n_item == 2 || loops->n_item == 3
                   ? STATUS_OK
                   : edit_refuse(schedule, loops->place, "tensorize", NULL,
                                 "a matrix product has three loops: those of rows, columns and the sum; what computes "
                                 "with its results has the first two");
    if (loops->n_item != 4 && (loops->n_item != 2 || !simd || !simd->tiles))
        return edit_refuse(schedule, loops->place, "tensorize", NULL,
                           "sums of products in lanes have two loops: those of the lanes and of the products; tiles "
                           "have four: those of rows, columns, groups of products and the products of a group");
    if (!simd || !simd->tiles)
        return edit_refuse(schedule, loops->place, "tensorize", "\"target\": {\"simd\": \"amx\"} has them",
                           "the target (\"simd\": \"%s\") has no registers for tiles", target->simd);
    return STATUS_OK;
}

enum status tensorize_tile(struct schedule *schedule, const struct step *step)
{
    const struct value *loops = step_value(step, "tensorize");
    enum status status = check_loops(schedule, loops);

    for (int k = 0; k < loops->n_item && status == STATUS_OK; k++)
        status = mark(schedule, step, &loops->item[k], k + 1);
    return status;
}
