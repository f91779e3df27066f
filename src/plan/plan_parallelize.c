/* parallelize: the iterations of loops among threads (OpenMP). plan/check.c proves that they carry nothing. */
#include "plan/loop_plan.h"
#include "sched/edit.h"

#include <string.h>

static enum omp_policy policy_of(const struct step *step)
{
    static const char *const names[] = {"default", "static", "dynamic", "guided"};
    const char *name = step_string(step, "policy", "default");
    int k = 0;

    while (k < 3 && strcmp(names[k], name) != 0)
        k++;
    return (enum omp_policy)k;
}

/* Is inner the loop directly inside outer? */
static bool follows(const struct loop_ref *outer, const struct loop_ref *inner)
{
    const struct order *below = outer->node->child[0];

    return below->kind == ORDER_LOOP && below->info->id == inner->info->id;
}

static bool is_target_ready(struct schedule *schedule, const struct step *step)
{
    if (schedule->program->target.openmp)
        return true;
    edit_refuse(schedule, step->place, "target", "add \"openmp\": true to the target",
                "the target has no threads");
    return false;
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    const struct value *list = step_value(step, "parallelize");
    struct loop_ref *ref = ARENA_ARRAY(schedule->arena, list->n_item + 1, struct loop_ref);
    enum status status = is_target_ready(schedule, step) ? STATUS_OK : STATUS_REFUSED;

    for (int k = 0; k < list->n_item && status == STATUS_OK; k++) {
        if (!edit_loop(schedule, &list->item[k], &ref[k]) ||
            !edit_is_not_fusing(schedule, &ref[k], "parallelize"))
            return STATUS_REFUSED;
        if (k > 0 && !follows(&ref[k - 1], &ref[k]))
            return edit_refuse(schedule, ref[k].place, "parallelize",
                               "parallelize separate loops by steps of their own",
                               "`%s` is not directly inside `%s`, so they are not one parallel loop",
                               ref[k].info->name, ref[k - 1].info->name);
    }
    for (int k = 0; k < list->n_item && status == STATUS_OK; k++) {
        struct loop_plan plan = loop_plan_of(ref[k].info);
        plan.parallel = k == 0 ? list->n_item : -1;
        plan.policy = policy_of(step);
        plan.chunk = step_int(step, "chunk", 0);
        plan.threads = step_int(step, "threads", 0);
        plan.only_if = step_value(step, "if");
        plan.places = step_string(step, "bind", NULL);
        plan.alone = step_int(step, "alone", 0) != 0;
        plan.parallel_step = step;
        status = loop_plan_set(schedule, ref[k].info->id, &plan);
    }
    return status;
}

static const struct argument arguments[] = {
    {.key = "parallelize", .kind = ARGUMENT_LOOPS, .required = true,
     .doc = "loops directly inside each other, outermost first: one parallel loop"},
    {.key = "policy", .kind = ARGUMENT_CHOICE, .choices = "static dynamic guided", .fallback = "the compiler's",
     .doc = "how iterations are dealt out"},
    {.key = "chunk", .kind = ARGUMENT_INT, .minimum = 1, .fallback = "the policy's", .doc = "iterations at a time"},
    {.key = "threads", .kind = ARGUMENT_INT, .minimum = 1, .fallback = "the run-time's", .doc = "how many"},
    {.key = "if", .kind = ARGUMENT_CONDITION, .fallback = "always",
     .doc = "when threads are worth it, as in \"M * N >= 100000\"; elsewhere one thread runs the loop"},
    {.key = "bind", .kind = ARGUMENT_CHOICE, .choices = "close spread primary", .fallback = "the run-time's",
     .doc = "the places where threads run, near to each other or far apart"},
    {.key = "alone", .kind = ARGUMENT_BOOL, .fallback = "false",
     .doc = "a parallel region of its own, which parallel loops beside and around it do not share"},
    {0},
};

const struct primitive primitive_parallelize = {"parallelize", "run the iterations of loops in threads", arguments,
                                                apply};
