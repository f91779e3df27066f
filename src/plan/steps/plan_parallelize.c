/* parallelize: the iterations of loops among threads (OpenMP). plan/check/check.c proves that they carry nothing. */
#include "caps/gpu.h"
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

static bool is_inside(const struct order *order, const struct loop_ref *inner)
{
    bool inside = order->kind == ORDER_LOOP && order->info->id == inner->info->id;

    for (int k = 0; k < order->n_child && !inside; k++)
        inside = is_inside(order->child[k], inner);
    return inside;
}

static bool is_target_ready(struct schedule *schedule, const struct step *step)
{
    const bool gpu = gpu_by_language(schedule->program->target.language) != NULL;

    if (schedule->program->target.openmp)
        return true;
    edit_refuse(schedule, step->place, "target",
                gpu ? "`bind` gives loops to the blocks and threads of a GPU" : "add \"openmp\": true to the target",
                "the target has no %s", gpu ? "threads of OpenMP" : "threads");
    return false;
}

/* Separate loops of one step stand beside each other. */
static enum status are_apart(struct schedule *schedule, const struct loop_ref *ref, const int *run, int n)
{
    for (int a = 0; a < n; a += run[a])
        for (int b = a + run[a]; b < n; b += run[b])
            if (is_inside(ref[a].node, &ref[b]) || is_inside(ref[b].node, &ref[a]))
                return edit_refuse(schedule, ref[b].place, "parallelize",
                                   "parallelize one of them, or both as one loop with the outer one first",
                                   "`%s` is not directly inside `%s`, so they are not one parallel loop",
                                   ref[b].info->name, ref[a].info->name);
    return STATUS_OK;
}

/* How many loops from ref[first] on are directly inside each other. */
static int run_length(const struct loop_ref *ref, int first, int n)
{
    int k = first + 1;

    while (k < n && follows(&ref[k - 1], &ref[k]))
        k++;
    return k - first;
}

/* The loops of the order that the n from ref on are; a collapsed tuple is several. */
static int n_loops(const struct loop_ref *ref, int n)
{
    int loops = 0;

    for (int k = 0; k < n; k++)
        loops += ref[k].info->tuple > 1 ? ref[k].info->tuple : 1;
    return loops;
}

/* The inner loops of a doacross loop are what waits: there must be one. */
static enum status may_wait(struct schedule *schedule, const struct step *step, const struct loop_ref *ref, int n)
{
    for (int k = 0; k < n; k++)
        if (ref[k].info->tuple != 0)
            return edit_refuse(schedule, ref[k].place, "parallelize", "parallelize the loops that it is made of",
                               "the collapsed loop `%s` cannot be one of a doacross loop", ref[k].info->name);
    return n > 1 ? STATUS_OK
                 : edit_refuse(schedule, step_place(step, "doacross"), "parallelize",
                               arena_printf(schedule->arena,
                                            "name the loop directly inside, too: its iterations wait until iteration "
                                            "`%s` - 1 has done the same one",
                                            ref->info->name),
                               "`%s` has no loop inside that could wait: each iteration would wait for all of the one "
                               "before",
                               ref->info->name);
}

/* loops: of which this is the outermost; -1: it is another of them. */
static enum status mark(struct schedule *schedule, const struct step *step, const struct loop_info *info, int loops)
{
    struct loop_plan plan = loop_plan_of(info);

    if (plan.parallel != 0)
        return edit_refuse(schedule, step->place, "parallelize", NULL, "`%s` runs in threads already", info->name);
    plan.parallel = loops;
    plan.doacross = step_int(step, "doacross", 0) != 0;
    plan.policy = policy_of(step);
    plan.chunk = step_int(step, "chunk", 0);
    plan.threads = step_int(step, "threads", 0);
    plan.only_if = step_value(step, "if");
    plan.places = step_string(step, "bind", NULL);
    plan.alone = step_int(step, "alone", 0) != 0;
    plan.parallel_step = step;
    return loop_plan_set(schedule, info->id, &plan);
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    const struct value *list = step_value(step, "parallelize");
    const int n = list->n_item;
    struct loop_ref *ref = ARENA_ARRAY(schedule->arena, n + 1, struct loop_ref);
    int *run = ARENA_ARRAY(schedule->arena, n + 1, int);
    enum status status = STATUS_OK;

    if (!is_target_ready(schedule, step))
        return STATUS_REFUSED;
    if (n == 0)
        return edit_refuse(schedule, list->place, "parallelize", "leave the step out, or name a loop",
                           "no loop is named, so nothing would run in threads");
    if (step_value(step, "chunk") && !step_value(step, "policy"))
        return edit_refuse(schedule, step_place(step, "chunk"), "parallelize",
                           "\"policy\": \"static\", \"dynamic\" or \"guided\"",
                           "`chunk` is the iterations that a policy distributes at a time, and none is given");
    for (int k = 0; k < n; k++)
        if (!edit_loop(schedule, &list->item[k], &ref[k]) || !edit_is_not_fusing(schedule, &ref[k], "parallelize"))
            return STATUS_REFUSED;
    for (int k = 0; k < n; k += run[k])
        run[k] = run_length(ref, k, n);
    status = are_apart(schedule, ref, run, n);
    for (int k = 0; k < n && status == STATUS_OK && step_int(step, "doacross", 0) != 0; k += run[k])
        status = may_wait(schedule, step, &ref[k], run[k]);
    for (int k = 0; k < n; k += run[k])
        for (int m = k; m < k + run[k] && status == STATUS_OK; m++)
            status = mark(schedule, step, ref[m].info, m == k ? n_loops(&ref[k], run[k]) : -1);
    return status;
}

static const struct argument arguments[] = {
    {.key = "parallelize",
     .kind = ARGUMENT_LOOPS,
     .required = true,
     .doc = "loops directly inside each other, outermost first, are one parallel loop; others are loops of their own"},
    {.key = "doacross",
     .kind = ARGUMENT_BOOL,
     .fallback = "false",
     .doc = "the outermost loop may carry dependences: an iteration of the inner loops waits until the previous "
            "iteration of the outermost loop has completed the same one; `ordered` of OpenMP"},
    {.key = "policy",
     .kind = ARGUMENT_CHOICE,
     .choices = "static dynamic guided",
     .fallback = "the compiler's",
     .doc = "how iterations are distributed"},
    {.key = "chunk",
     .kind = ARGUMENT_INT,
     .minimum = 1,
     .fallback = "the policy's",
     .doc = "iterations at a time, of a policy that is given"},
    {.key = "threads", .kind = ARGUMENT_INT, .minimum = 1, .fallback = "the run-time's", .doc = "how many"},
    {.key = "if",
     .kind = ARGUMENT_CONDITION,
     .fallback = "always",
     .doc = "when threads are worth it, as in \"M * N >= 100000\"; elsewhere one thread runs the loop"},
    {.key = "bind",
     .kind = ARGUMENT_CHOICE,
     .choices = "close spread primary",
     .fallback = "the run-time's",
     .doc = "the places where threads run, near to each other or far apart"},
    {.key = "alone",
     .kind = ARGUMENT_BOOL,
     .fallback = "false",
     .doc = "a parallel region of its own, which parallel loops beside and around it do not share"},
    {0},
};

const struct primitive primitive_parallelize = {
    .name = "parallelize",
    .summary = "run the iterations of loops in threads",
    .rule = "The iterations run in OpenMP threads. Loops directly inside each other are one "
            "parallel loop. With `doacross` the iterations of the outermost loop are distributed cyclically "
            "among the threads, which synchronise point to point: a wavefront without barriers.",
    .proved =
        "The loop carries no dependence. Reductions into variables, small arrays and elements that data choose "
        "are allowed where their order is free. With `doacross`, every dependence that the outermost loop carries "
        "goes to the same iteration of the inner loops or to a later one.",
    .argument = arguments,
    .apply = apply,
};
