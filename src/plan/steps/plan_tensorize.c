/* tensorize: loops as instructions that compute with more than one number a lane. */
#include "plan/steps/tensorize.h"

#include "caps/gpu.h"
#include "caps/simd.h"
#include "plan/loop_plan.h"
#include "program/instruction.h"
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

/* The loops are those of the instruction's nest, in its order. */
static enum status mark(struct schedule *schedule, const struct step *step, const struct nest_loop *own, int place)
{
    struct loop_ref ref;
    struct loop_plan plan;

    if (!edit_loop(schedule, &step_value(step, "tensorize")->item[place - 1], &ref) ||
        !edit_is_single(schedule, &ref, "tensorize") || !edit_is_not_fusing(schedule, &ref, "tensorize"))
        return STATUS_REFUSED;
    plan = loop_plan_of(ref.info);
    plan.text_step = step;
    plan.text_place = place;
    plan.literal = own->upper->kind == EXPR_INT;
    return loop_plan_set(schedule, ref.info->id, &plan);
}

static enum status refuse_unknown(struct schedule *schedule, const struct step *step, const char *name)
{
    const struct program *program = schedule->program;
    const char *nearest, *listed = NULL;
    VEC(const char *) known = {0};

    for (int k = 0; k < program->n_instruction; k++) {
        VEC_PUSH(schedule->arena, &known, program->instruction[k].name);
        listed = arena_printf(schedule->arena, "%s%s`%s`", listed ? listed : "", listed ? ", " : "", known.at[k]);
    }
    nearest = name_nearest(name, known.at, known.n);
    return edit_refuse(schedule, step_place(step, "with"), "tensorize",
                       nearest  ? arena_printf(schedule->arena, "did you mean `%s`?", nearest)
                       : listed ? arena_printf(schedule->arena, "there is %s", listed)
                                : "\"instructions\" of the description has them",
                       "there is no instruction `%s`", name);
}

/* An instruction of the description's. */
static enum status apply_named(struct schedule *schedule, const struct step *step)
{
    const struct value *loops = step_value(step, "tensorize");
    const char *name = step_string(step, "with", NULL);
    const struct instruction *instruction = program_instruction(schedule->program, name);
    const struct block *nest = instruction ? instruction_loops(instruction) : NULL;
    enum status status = STATUS_OK;

    if (!instruction)
        return refuse_unknown(schedule, step, name);
    if (instruction->is_called)
        return edit_refuse(schedule, step_place(step, "with"), "tensorize", "a statement calls it",
                           "`%s` has no nest that loops could be", name);
    if (loops->n_item != nest->n_loop)
        return edit_refuse(schedule, loops->place, "tensorize", "name a loop for each of its nest's",
                           "`%s` has %d loop%s", name, nest->n_loop, nest->n_loop == 1 ? "" : "s");
    for (int k = 1; k <= loops->n_item && status == STATUS_OK; k++)
        status = mark(schedule, step, &nest->loop[k - 1], k);
    return status;
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    if (step_value(step, "with"))
        return apply_named(schedule, step);
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
    {.key = "with",
     .kind = ARGUMENT_TEXT,
     .doc = "an instruction of the description's `instructions`, whose nest has these loops; without it, one of the "
            "target's"},
    {0},
};

const struct primitive primitive_tensorize = {
    .name = "tensorize",
    .summary = "compute loops by one instruction",
    .rule = "The loops become one instruction: a dot product in each lane, a product of tiles in "
            "registers of AMX, one of matrices in tensor cores, or `with` one that the "
            "description brings along, its text; loops with fewer iterations, as at the end of tiles, then stay loops.",
    .proved = "The statement computes exactly what the instruction does, on operands of its types "
              "and layouts, and tiles are full.",
    .argument = arguments,
    .apply = apply,
};
