/* sync: a barrier in front of a loop, or behind it. Those that a kernel needs are derived (plan/device/sync/sync.h). */
#include "caps/gpu.h"
#include "plan/loop_plan.h"
#include "sched/edit.h"

#include <string.h>

static enum status ask(struct schedule *schedule, const struct step *step, const char *side, const struct value *name)
{
    const bool after = strcmp(side, "after") == 0;
    struct loop_ref ref;
    struct loop_plan plan;

    if (!edit_loop(schedule, name, &ref) || !edit_is_single(schedule, &ref, "sync") ||
        !edit_is_not_fusing(schedule, &ref, "sync"))
        return STATUS_REFUSED;
    plan = loop_plan_of(ref.info);
    if (plan.sync[after])
        return edit_refuse(schedule, name->place, "sync", NULL, "there already is a barrier %s `%s`", side,
                           ref.info->name);
    plan.sync[after] = step;
    return loop_plan_set(schedule, ref.info->id, &plan);
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    const struct value *sides = step_value(step, "sync");
    enum status status = STATUS_OK;

    if (!gpu_by_language(schedule->program->target.language))
        return edit_refuse(schedule, step->place, "target", "\"target\": {\"language\": \"cuda\"} has them",
                           "the target has no threads of a block that wait for each other");
    for (int k = 0; k < sides->n_item && status == STATUS_OK; k++)
        status = ask(schedule, step, sides->key[k], &sides->item[k]);
    return status;
}

static const struct argument sides[] = {{.key = "before", .kind = ARGUMENT_LOOP, .doc = "they wait in front of it"},
                                        {.key = "after", .kind = ARGUMENT_LOOP, .doc = "they wait after it"},
                                        {0}};
static const struct object_type object_sides = {.title = "an object with \"before\" or \"after\" and a loop",
                                                .not_empty = true,
                                                .key = sides};
static const struct argument arguments[] = {
    {.key = "sync",
     .kind = ARGUMENT_OBJECT,
     .object = &object_sides,
     .required = true,
     .doc = "where all threads of a block wait for each other; what a kernel needs is there without it"},
    {0},
};

const struct primitive primitive_sync = {
    .name = "sync",
    .summary = "put a barrier before or after a loop",
    .rule = "All threads of a block wait before or after a loop. The barriers that a kernel needs "
            "are there without this step; one that is not needed is kept, and reported.",
    .proved = "All threads of a block reach the barrier.",
    .argument = arguments,
    .apply = apply,
};
