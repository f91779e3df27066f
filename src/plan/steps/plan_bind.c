/* bind: the iterations of loops among the blocks of a grid and the threads of a block. check/check.c proves that they
 * carry nothing, plan/check/launch.h that the launch fits the device. */
#include "caps/gpu.h"
#include "plan/dense.h"
#include "plan/loop_plan.h"
#include "sched/edit.h"
#include "sched/extent.h"
#include "sched/path.h"

#include <inttypes.h>

static enum status refuse_loop(struct schedule *schedule, const struct loop_ref *ref, const char *hint, const char *why)
{
    return edit_refuse(schedule, ref->place, "bind", hint, "`%s` cannot be bound: %s", ref->info->name, why);
}

/* Is a loop around it one for statements with different numbers of iterations? */
static bool is_in_whole(struct schedule *schedule, const struct loop_ref *ref)
{
    struct path path;
    bool whole = false;

    path_find(schedule->arena, schedule->order, ref->node, &path);
    for (int k = 0; k < path.depth; k++)
        whole = whole || path.loop[k]->info->whole;
    return whole;
}

/* How many blocks are asked for along axis; 0: that is not said. */
static int64_t blocks_along(const struct step *step, enum axis axis)
{
    return axis_is_block(axis) ? step_int(step, "blocks", 0) : 0;
}

static enum status bind_loop(struct schedule *schedule, const struct step *step, struct loop_ref *ref, enum axis axis)
{
    struct loop_plan plan = loop_plan_of(ref->info);
    struct loop_extent extent;

    if (plan.axis != AXIS_NONE)
        return refuse_loop(schedule, ref, NULL, "it already is");
    if (ref->info->unit != 1)
        return refuse_loop(schedule, ref, NULL, "its iterations start at places that vary with outer loops");
    if (!dense_loop(schedule, ref))
        return STATUS_REFUSED;
    plan.whole = is_in_whole(schedule, ref) || !extent_measure(schedule, ref, &extent);
    if (!extent_measure_parts(schedule, ref, &extent))
        return refuse_loop(schedule, ref, "split it, and bind the parts",
                           "its iterations are not counted by one affine expression of the parameters");
    plan.axis = axis;
    plan.origin = extent.first;
    plan.size = extent.size;
    plan.bind_step = step;
    plan.blocks = blocks_along(step, axis);
    plan.resident = step_int(step, "resident", 0);
    return loop_plan_set(schedule, ref->info->id, &plan);
}

/* The loops of a collapsed tuple, which are digits of the positions on the axis, the innermost the finest. */
static enum status bind_tuple(struct schedule *schedule, const struct step *step, const struct loop_ref *ref,
                              enum axis axis)
{
    const int n = ref->info->tuple;
    enum status status = STATUS_OK;

    if (ref->info->run && !axis_is_block(axis))
        return refuse_loop(schedule, ref, NULL, "it is split: its runs of iterations are for blocks");
    if (n > AXIS_DIGITS)
        return refuse_loop(schedule, ref, NULL, "it is more than four loops whose extents are not constants");
    for (int k = 0; k < n && status == STATUS_OK; k++) {
        struct loop_ref part;
        if (!edit_tuple_part(schedule, ref, k, &part))
            return refuse_loop(schedule, ref, "name it without a statement", "its inner loops are others', too");
        status = bind_loop(schedule, step, &part, axis_digit(axis, n - 1 - k));
    }
    return status;
}

/* The iterations of a run of a collapsed tuple are for the threads along axis. */
static enum status bind_run(struct schedule *schedule, const struct step *step, const struct loop_ref *ref,
                            enum axis axis)
{
    const struct gpu *gpu = gpu_by_language(schedule->program->target.language);
    const struct loop_info *head = order_find(schedule->order, ref->info->outer)->info;
    struct loop_ref tuple = *ref;
    enum status status = STATUS_OK;

    tuple.info = head;
    if (!axis_is_thread(axis))
        return refuse_loop(schedule, ref, NULL, "it is part of a collapsed loop, and for threads");
    if (ref->info->run > gpu->limit[axis])
        return refuse_loop(schedule, ref, "split by less", "a block has fewer threads along this axis");
    for (int k = 0; k < head->tuple && status == STATUS_OK; k++) {
        struct loop_ref part;
        struct loop_plan plan;
        if (!edit_tuple_part(schedule, &tuple, k, &part))
            return refuse_loop(schedule, ref, "name it without a statement", "its inner loops are others', too");
        plan = loop_plan_of(part.info);
        if (plan.run)
            return refuse_loop(schedule, ref, NULL, "it already is");
        plan.run = ref->info->run;
        plan.threads_axis = axis;
        plan.run_name = ref->info->name;
        plan.bind_step = step;
        status = loop_plan_set(schedule, part.info->id, &plan);
    }
    return status;
}

static enum status bind(struct schedule *schedule, const struct step *step, struct loop_ref *ref, enum axis axis)
{
    if (ref->info->tuple > 1)
        return bind_tuple(schedule, step, ref, axis);
    return ref->info->run ? bind_run(schedule, step, ref, axis) : bind_loop(schedule, step, ref, axis);
}

/* Is there an axis of blocks for the number of them that is asked for, and is that one that a grid has? */
static enum status check_blocks(struct schedule *schedule, const struct step *step, const struct gpu *gpu)
{
    const struct value *axes = step_value(step, "bind");
    const int64_t blocks = step_int(step, "blocks", 0);
    bool any = blocks == 0;

    for (int k = 0; k < axes->n_item; k++) {
        const enum axis axis = axis_by_name(axes->item[k].string);
        if (blocks_along(step, axis) > gpu->limit[axis])
            return edit_refuse(schedule, step->place, "bind", NULL,
                               "%" PRId64 " blocks along %s: a grid has at most %" PRId64, blocks, axis_name(axis),
                               gpu->limit[axis]);
        any = any || axis_is_block(axis);
    }
    return any ? STATUS_OK
               : edit_refuse(schedule, step->place, "bind", "block.x, block.y and block.z have them",
                             "`blocks` says how many there are, but no loop is bound to blocks");
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    const struct gpu *gpu = gpu_by_language(schedule->program->target.language);
    const struct value *axes = step_value(step, "bind");
    enum status status;

    if (!gpu)
        return edit_refuse(schedule, step->place, "target", "\"target\": {\"language\": \"cuda\"} has them",
                           "the target has no blocks and threads to bind loops to");
    status = check_blocks(schedule, step, gpu);
    for (int k = 0; k < axes->n_item && status == STATUS_OK; k++) {
        const struct value name = {.kind = VALUE_STRING, .place = axes->key_place[k], .string = axes->key[k]};
        struct loop_ref ref;
        const enum axis axis = axis_by_name(axes->item[k].string);
        if (!edit_loop(schedule, &name, &ref) || !edit_is_not_fusing(schedule, &ref, "bind"))
            return STATUS_REFUSED;
        status = bind(schedule, step, &ref, axis);
    }
    return status;
}

static const struct argument arguments[] = {
    {.key = "bind",
     .kind = ARGUMENT_LOOP_CHOICES,
     .required = true,
     .choices = "block.x block.y block.z thread.x thread.y thread.z",
     .doc = "an axis for each loop, whose iterations then run at once: block.x to block.z, thread.x to thread.z"},
    {.key = "blocks",
     .kind = ARGUMENT_INT,
     .minimum = 1,
     .fallback = "one for each iteration",
     .doc = "the most blocks along an axis; more iterations make a grid-stride loop"},
    {.key = "resident",
     .kind = ARGUMENT_INT,
     .minimum = 1,
     .fallback = "as many as there is room for",
     .doc = "blocks wanted on a multiprocessor at once; the compiler limits the registers of a thread to that"},
    {0},
};

const struct primitive primitive_bind = {
    .name = "bind",
    .summary = "run the iterations of loops in blocks and threads",
    .rule = "Loops become the axes of blocks and threads of a GPU. Their iterations run at once; "
            "barriers are put in where threads exchange values.",
    .proved = "The bound loops carry no dependence, or all threads of a block meet at a barrier in "
              "between. Blocks have no more threads than the device allows.",
    .argument = arguments,
    .apply = apply,
};
