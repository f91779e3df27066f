/* prefetch: each iteration of a loop asks the processor for what a later one loads; no result depends on it. */
#include "caps/gpu.h"
#include "plan/loop_plan.h"
#include "program/program.h"
#include "sched/edit.h"

/* The loop whose later iterations are meant: at itself (NULL), or one around it; false after reporting. */
static bool find_of(struct schedule *schedule, const struct step *step, const struct loop_ref *at,
                    const struct loop_info **of)
{
    struct loop_ref ref;

    *of = NULL;
    if (!step_value(step, "of"))
        return true;
    if (!edit_loop_argument(schedule, step, "of", &ref) || !edit_is_single(schedule, &ref, "prefetch"))
        return false;
    if (!order_find(ref.node, at->info->id)) {
        edit_refuse(schedule, step_place(step, "of"), "prefetch", NULL, "`%s` is not around `%s`", ref.text, at->text);
        return false;
    }
    if (ref.info->id != at->info->id)
        *of = ref.info;
    return true;
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    const char *name = step_string(step, "prefetch", "");
    struct loop_hint *hint = ARENA_NEW(schedule->arena, struct loop_hint);
    const struct loop_info *of;
    struct loop_ref ref;
    struct loop_plan plan;

    if (gpu_by_language(schedule->program->target.language))
        return edit_refuse(schedule, step->place, "prefetch", "copy it with `cache` and `double_buffer`",
                           "the target's threads hide latencies themselves");
    if (!program_array(schedule->program, name))
        return edit_no_array(schedule, step_place(step, "prefetch"), name);
    if (!edit_loop_argument(schedule, step, "at", &ref) || !edit_is_single(schedule, &ref, "prefetch") ||
        !find_of(schedule, step, &ref, &of))
        return STATUS_REFUSED;
    plan = loop_plan_of(ref.info);
    *hint = (struct loop_hint){.array = name,
                               .ahead = step_int(step, "ahead", 1),
                               .of = of,
                               .write = step_int(step, "write", 0),
                               .locality = step_int(step, "locality", 3),
                               .lines = step_int(step, "lines", 0),
                               .step = step,
                               .before = plan.hints};
    if (hint->locality > 3)
        return edit_refuse(schedule, step_place(step, "locality"), "range", NULL, "`locality` is 0 to 3");
    plan.hints = hint;
    return loop_plan_set(schedule, ref.info->id, &plan);
}

static const struct argument arguments[] = {
    {.key = "prefetch", .kind = ARGUMENT_TEXT, .required = true, .doc = "an array or a buffer"},
    {.key = "at",
     .kind = ARGUMENT_LOOP,
     .required = true,
     .doc = "a loop: each iteration asks for the first element that each reference loads `ahead` iterations later, and "
            "for all lines of what it loads in vectors, or in loops inside that are unrolled as a whole"},
    {.key = "ahead", .kind = ARGUMENT_INT, .minimum = 1, .fallback = "1", .doc = "iterations of that loop"},
    {.key = "of",
     .kind = ARGUMENT_LOOP,
     .fallback = "the loop `at`",
     .doc = "a loop around `at` whose iterations `ahead` counts instead"},
    {.key = "write", .kind = ARGUMENT_BOOL, .fallback = "false", .doc = "the element will be written"},
    {.key = "locality",
     .kind = ARGUMENT_INT,
     .minimum = 0,
     .fallback = "3",
     .doc = "0 to 3, from used once to kept in all caches"},
    {.key = "lines",
     .kind = ARGUMENT_INT,
     .minimum = 1,
     .fallback = "all",
     .doc = "the most lines of a row, and then of one row only"},
    {0},
};

const struct primitive primitive_prefetch = {
    .name = "prefetch",
    .summary = "ask for what later iterations load",
    .rule = "Each iteration asks for the memory that a later one loads. No result depends on it.",
    .proved = "The loop uses the array, and it is in memory, not in registers. An address past the "
              "end of the array is never loaded, only asked for.",
    .argument = arguments,
    .apply = apply,
};
