/* stream: the vectors that a loop stores in an array bypass the caches. What an address must be for that is proved, and
 * the fences are put in, when the vectors are there (lower/threads/streams.h, lower/threads/fences.h). */
#include "caps/simd.h"
#include "plan/loop_plan.h"
#include "program/program.h"
#include "sched/edit.h"

static enum status check_target(struct schedule *schedule, const struct step *step)
{
    const struct simd *simd = simd_by_name(schedule->program->target.simd);

    if (simd && simd->fence)
        return STATUS_OK;
    return edit_refuse(schedule, step->place, "stream",
                       "\"target\": {\"simd\": \"avx512\"}, \"avx2\" and \"sse4.2\" have",
                       "%s has no stores that bypass the caches", simd ? simd->name : "the target");
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    const char *name = step_string(step, "stream", "");
    const struct array *array = program_array(schedule->program, name);
    struct loop_stream *stream = ARENA_NEW(schedule->arena, struct loop_stream);
    struct loop_ref ref;
    struct loop_plan plan;

    if (check_target(schedule, step) != STATUS_OK)
        return STATUS_REFUSED;
    if (!array)
        return edit_no_array(schedule, step_place(step, "stream"), name);
    if (array->role != ROLE_OUT && array->role != ROLE_INOUT)
        return edit_refuse(schedule, step_place(step, "stream"), "stream",
                           array->role == ROLE_TEMP ? "what the function itself reads again belongs in the caches"
                                                    : NULL,
                           "`%s` is no result of the function", name);
    if (!edit_loop_argument(schedule, step, "at", &ref) || !edit_is_single(schedule, &ref, "stream"))
        return STATUS_REFUSED;
    plan = loop_plan_of(ref.info);
    *stream = (struct loop_stream){name, step_value(step, "if"), step, plan.streams};
    plan.streams = stream;
    return loop_plan_set(schedule, ref.info->id, &plan);
}

static const struct argument arguments[] = {
    {.key = "stream",
     .kind = ARGUMENT_TEXT,
     .required = true,
     .doc = "an array that is a result: larger than the caches, and not read again soon"},
    {.key = "at",
     .kind = ARGUMENT_LOOP,
     .required = true,
     .doc = "a loop: full vectors that it stores there bypass the caches, what fills no vector is stored as usual"},
    {.key = "if",
     .kind = ARGUMENT_CONDITION,
     .fallback = "always",
     .doc = "when, as in \"N % 16 == 0 && M * N >= 1000000\"; elsewhere the loop, once more, stores as usual"},
    {0},
};

const struct primitive primitive_stream = {
    .name = "stream",
    .summary = "store vectors past the caches",
    .rule = "Vectors of a result are stored past the caches. Threads end with a fence. With `if` "
            "there is a second loop that stores as usual.",
    .proved = "Every full vector starts at a multiple of its size, by the array's `align`, the "
              "length of its rows and the loops.",
    .argument = arguments,
    .apply = apply,
};
