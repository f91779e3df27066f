/* kernelize: several unrolled loops and a vectorized one in one step. */
#include "plan/loop_plan.h"
#include "sched/edit.h"

static enum status mark(struct schedule *schedule, const struct step *step, const struct value *name, bool vector)
{
    struct loop_ref ref;
    struct loop_plan plan;

    if (!edit_loop(schedule, name, &ref) ||
        !(vector ? loop_plan_may_be_vector(schedule, &ref) : edit_is_single(schedule, &ref, "unroll")))
        return STATUS_REFUSED;
    plan = loop_plan_of(ref.info);
    if (vector ? plan.vector : plan.unroll_step != NULL)
        return edit_refuse(schedule, name->place, "kernelize", NULL, "`%s` %s already", ref.info->name,
                           vector ? "runs in vectors" : "is unrolled");
    plan.unroll = vector ? plan.unroll : UNROLL_LITERAL;
    plan.vector = plan.vector || vector;
    *(vector ? &plan.vector_step : &plan.unroll_step) = step;
    return loop_plan_set(schedule, ref.info->id, &plan);
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    const struct value *parts = step_value(step, "kernelize");
    const struct value *unroll = value_member(parts, "unroll"), *vectorize = value_member(parts, "vectorize");
    enum status status = vectorize && !loop_plan_has_vectors(schedule, step) ? STATUS_REFUSED : STATUS_OK;

    if (!vectorize && (!unroll || unroll->n_item == 0))
        return edit_refuse(schedule, parts->place, "kernelize",
                           "name loops in \"unroll\", one in \"vectorize\", or both",
                           "no loop is named, so there is nothing to unroll or to vectorize");
    for (int k = 0; unroll && k < unroll->n_item && status == STATUS_OK; k++)
        status = mark(schedule, step, &unroll->item[k], false);
    if (vectorize && status == STATUS_OK)
        status = mark(schedule, step, vectorize, true);
    return status;
}

static const struct argument parts[] = {{.key = "unroll", .kind = ARGUMENT_LOOPS, .doc = "as by steps `unroll`"},
                                        {.key = "vectorize", .kind = ARGUMENT_LOOP, .doc = "as by a step `vectorize`"},
                                        {0}};
static const struct object_type object_kernel = {.title = "an object with \"unroll\" and \"vectorize\"", .key = parts};
static const struct argument arguments[] = {
    {.key = "kernelize",
     .kind = ARGUMENT_OBJECT,
     .object = &object_kernel,
     .required = true,
     .doc = "the loops to unroll and the one to vectorize"},
    {0},
};

const struct primitive primitive_kernelize = {
    .name = "kernelize",
    .summary = "unroll loops around a vectorized one",
    .rule = "Loops are unrolled as a whole and one is vectorized, in one step. No loop moves: "
            "`reorder` puts them innermost, the vectorized one last. The remainder of a `split` "
            "becomes a partial tile. A `cache` with memory `register` around them keeps "
            "accumulators in registers. Either part may be missing, not both.",
    .proved = "The unrolled loops have a constant number of iterations, and the lanes do not depend "
              "on each other, as for `vectorize`.",
    .argument = arguments,
    .apply = apply,
};
