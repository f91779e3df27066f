/* bind: the iterations of loops among the blocks of a grid and the threads of a block. plan/check.c proves that they
 * carry nothing, plan/launch.h that the launch fits the device. */
#include "caps/gpu.h"
#include "plan/loop_plan.h"
#include "sched/edit.h"
#include "sched/extent.h"
#include "sched/path.h"

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

static enum status bind_loop(struct schedule *schedule, const struct step *step, const struct loop_ref *ref,
                             enum axis axis)
{
    struct loop_plan plan = loop_plan_of(ref->info);
    struct loop_extent extent;

    if (plan.axis != AXIS_NONE)
        return refuse_loop(schedule, ref, NULL, "it already is");
    if (ref->info->unit != 1)
        return refuse_loop(schedule, ref, NULL, "its iterations start at places that vary with outer loops");
    plan.whole = is_in_whole(schedule, ref) || !extent_measure(schedule, ref, &extent);
    if (!extent_measure_parts(schedule, ref, &extent))
        return refuse_loop(schedule, ref, "split it, and bind the parts",
                           "no number of iterations that only depends on the parameters bounds it");
    plan.axis = axis;
    plan.origin = extent.first;
    plan.size = extent.size;
    plan.bind_step = step;
    plan.resident = step_int(step, "resident", 0);
    return loop_plan_set(schedule, ref->info->id, &plan);
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    const struct value *axes = step_value(step, "bind");
    enum status status = STATUS_OK;

    if (!gpu_by_language(schedule->program->target.language))
        return edit_refuse(schedule, step->place, "target", "\"target\": {\"language\": \"cuda\"} has them",
                           "the target has no blocks and threads to bind loops to");
    for (int k = 0; k < axes->n_item && status == STATUS_OK; k++) {
        const struct value name = {.kind = VALUE_STRING, .place = axes->key_place[k], .string = axes->key[k]};
        struct loop_ref ref;
        if (!edit_loop(schedule, &name, &ref) || !edit_is_not_fusing(schedule, &ref, "bind") ||
            !edit_is_single(schedule, &ref, "bind"))
            return STATUS_REFUSED;
        status = bind_loop(schedule, step, &ref, axis_by_name(axes->item[k].string));
    }
    return status;
}

static const struct argument arguments[] = {
    {.key = "bind",
     .kind = ARGUMENT_LOOP_CHOICES,
     .required = true,
     .choices = "block.x block.y block.z thread.x thread.y thread.z",
     .doc = "an axis for each loop, whose iterations then run at once: block.x to block.z, thread.x to thread.z"},
    {.key = "resident",
     .kind = ARGUMENT_INT,
     .minimum = 1,
     .fallback = "as many as there is room for",
     .doc =
         "blocks that are to be on a multiprocessor at once: the compiler gives threads no more registers than that"},
    {0},
};

const struct primitive primitive_bind = {"bind", "run the iterations of loops in blocks and threads", arguments, apply};
