/* unroll: the iterations of a loop one after the other, as text; with `by`, so many of them at a time; with `jam`, the
 * copies go inside of the loops below. */
#include "plan/check/check.h"
#include "plan/dense.h"
#include "plan/loop_plan.h"
#include "plan/plan.h"
#include "plan/privacy.h"
#include "sched/edit.h"
#include "sched/steps/expand.h"
#include "sched/steps/split.h"

static const struct order *jammed(struct arena *arena, const struct order *order, int id)
{
    const struct order **child = ARENA_ARRAY(arena, order->n_child + 1, const struct order *);

    if (order->kind == ORDER_LOOP && order->info->id == id)
        return order_sunk(arena, order, order->child[0]);
    for (int k = 0; k < order->n_child; k++)
        child[k] = jammed(arena, order->child[k], id);
    return order->n_child ? order_with_children(arena, order, child) : order;
}

/* The same as a step `privatize` does it, which other parts of a loop that was cut may use the temporary beside. */
static enum status privatize(struct schedule *schedule, const struct step *step, const struct array *array,
                             const struct loop_ref *ref)
{
    const char *loop = arena_printf(schedule->arena, "%s.%s", order_first_statement(ref->node)->label, ref->info->name);
    const struct step own = privacy_step(schedule->arena, array->name, loop, NULL, step->place);

    return own.primitive->apply(schedule, &own);
}

/* Gives each iteration of the loop an element of the temporary that the violation is about, where that helps. */
static bool give_own(struct schedule *schedule, const struct step *step, const struct loop_ref *ref,
                     const struct violation *violation)
{
    const struct array *array = violation->dependence->from->array;
    const int reported = schedule->diags->list.n;
    bool given = array->role == ROLE_TEMP;

    given = given && (expand_over_loop(schedule, step, array, ref) == STATUS_OK ||
                      privatize(schedule, step, array, ref) == STATUS_OK);
    diags_forget(schedule->diags, reported);
    return given;
}

/* Moves the loop inside of those below; temporaries that its iterations share then, each of them gets for itself. */
static enum status move_inside(struct schedule *schedule, const struct step *step, const struct loop_ref *ref)
{
    const int id = ref->info->id;
    int left = schedule->program->n_array;
    struct violation violation;

    while (plan_jam_breaks(schedule, step, jammed(schedule->arena, schedule->order, id), &violation))
        if (left-- == 0 || !give_own(schedule, step, ref, &violation)) {
            plan_report_jam(schedule, order_find(schedule->order, id)->info, step, &violation);
            return STATUS_REFUSED;
        }
    schedule->order = jammed(schedule->arena, schedule->order, id);
    return plan_take_order(schedule);
}

/* The loop is cut into pieces of `by` iterations; *ref becomes the inner part. */
static enum status cut(struct schedule *schedule, const struct step *step, struct loop_ref *ref)
{
    const char *name = edit_inner_name(schedule, ref);
    const int id = ref->info->id;
    enum status status = name && dense_loop(schedule, ref) ? STATUS_OK : STATUS_REFUSED;

    if (status == STATUS_OK)
        status = split_loop(schedule, ref, step, step_int(step, "by", 1), name);
    if (status != STATUS_OK)
        return status;
    if (split_tail(step) == TAIL_AUTO)
        loop_plan_peel(schedule, id);
    else if (split_tail(step) == TAIL_EXACT)
        status = split_prove_exact(schedule, ref, step, order_find(schedule->order, id)->child[0]->info->id,
                                   step_int(step, "by", 1));
    ref->node = order_find(schedule->order, id)->child[0];
    ref->info = ref->node->info;
    return status;
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    const bool hint = step_int(step, "hint", 0), jam = step_int(step, "jam", 0);
    struct loop_ref ref;
    struct loop_plan plan;
    enum status status = STATUS_OK;

    if (!edit_loop_argument(schedule, step, "unroll", &ref) || !edit_is_single(schedule, &ref, "unroll"))
        return STATUS_REFUSED;
    if (step_value(step, "tail") && (hint || !step_value(step, "by")))
        return edit_refuse(schedule, step_place(step, "tail"), "unroll", "say how many iterations at a time, by `by`",
                           "there is no rest: all iterations are unrolled");
    if (hint && jam)
        return edit_refuse(schedule, step_place(step, "jam"), "unroll", NULL,
                           "there is no pragma that moves copies into other loops: `hint` or `jam`");
    if (step_value(step, "by") && !hint)
        status = cut(schedule, step, &ref);
    if (status != STATUS_OK)
        return status;
    plan = loop_plan_of(ref.info);
    if (plan.unroll_step)
        return edit_refuse(schedule, step->place, "unroll", NULL, "`%s` is unrolled already", ref.info->name);
    plan.unroll = hint ? UNROLL_HINT : UNROLL_FULL;
    plan.hint = step_int(step, "by", 0);
    plan.unroll_step = step;
    status = loop_plan_set(schedule, ref.info->id, &plan);
    return jam && status == STATUS_OK ? move_inside(schedule, step, &ref) : status;
}

static const struct argument arguments[] = {
    {.key = "unroll", .kind = ARGUMENT_LOOP, .required = true, .doc = "a loop; without `by`, of constant length"},
    {.key = "by", .kind = ARGUMENT_INT, .minimum = 2, .fallback = "all iterations", .doc = "iterations at a time"},
    {.key = "tail",
     .kind = ARGUMENT_CHOICE,
     .choices = "auto peel guard cases exact",
     .fallback = "auto",
     .doc = "how the iterations that are left are emitted; auto is peel, or guard where that "
            "cannot be"},
    {.key = "jam",
     .kind = ARGUMENT_BOOL,
     .fallback = "false",
     .doc = "the copies go into the loops inside, if there are any"},
    {.key = "hint", .kind = ARGUMENT_BOOL, .fallback = "false", .doc = "leave it to the compiler, with its pragma"},
    {0},
};

const struct primitive primitive_unroll = {
    .name = "unroll",
    .summary = "write the iterations of a loop out",
    .rule = "The body is written out, once for each iteration, or `by` times. With `jam` the "
            "copies go into the loops inside, and each has elements of its own of temporaries that they would "
            "share; with `hint` the compiler does it. Where the bounds depend on a loop around, `cut` that one "
            "into single iterations first.",
    .proved = "The number of iterations is constant where there is no `by`. `jam` needs a legal "
              "order. `exact` needs a proof that there is no remainder.",
    .argument = arguments,
    .apply = apply,
};
