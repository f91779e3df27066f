/* tensorize: loops as instructions that compute with more than one number a lane. */
#include "plan/steps/tensorize.h"

#include "caps/gpu.h"
#include "caps/simd.h"
#include "plan/loop_plan.h"
#include "sched/edit.h"

/* Does a statement in the loop update its target? */
static bool updates(const struct schedule *schedule, const struct loop_ref *ref)
{
    for (int k = 0; k < schedule->program->n_statement; k++)
        if (schedule->program->statement[k]->op != OP_NONE && order_has(ref->node, schedule->program->statement[k]))
            return true;
    return false;
}

/* Two loops, which are on a CPU those of lanes and products; of what sums up nothing, rows and columns of a tile. */
static enum status apply_two(struct schedule *schedule, const struct step *step)
{
    const struct simd *simd = simd_by_name(schedule->program->target.simd);
    struct loop_ref inner;

    if (!simd || !simd->tiles)
        return tensorize_dot(schedule, step);
    if (!edit_loop(schedule, &step_value(step, "tensorize")->item[1], &inner))
        return STATUS_REFUSED;
    return updates(schedule, &inner) ? tensorize_dot(schedule, step) : tensorize_tile(schedule, step);
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    const bool lanes = step_value(step, "tensorize")->n_item == 2;
    const bool gpu = gpu_by_language(schedule->program->target.language) != NULL;

    if (!gpu && !loop_plan_has_vectors(schedule, step))
        return STATUS_REFUSED;
    return lanes && !gpu ? apply_two(schedule, step) : tensorize_tile(schedule, step);
}

static const struct argument arguments[] = {
    {.key = "tensorize",
     .kind = ARGUMENT_LOOPS,
     .required = true,
     .doc =
         "the loops of lanes and of the products that each of them sums up; those of a tile in registers of tiles: "
         "over rows, columns, groups of products and the products of one, or over rows and columns of zeros; on a GPU "
         "over rows, columns and sums, or over rows and columns of what is computed of the sums"},
    {0},
};

const struct primitive primitive_tensorize = {
    .name = "tensorize",
    .summary = "compute loops by one instruction",
    .rule = "The loops become one instruction: a dot product in each lane, a product of tiles in "
            "registers of AMX, or one of matrices in tensor cores.",
    .proved = "The statement computes exactly what the instruction does, on operands of its types "
              "and layouts, and tiles are full.",
    .argument = arguments,
    .apply = apply,
};
