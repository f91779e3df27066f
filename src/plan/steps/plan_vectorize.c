/* vectorize: the iterations of a loop in the lanes of vectors.
 *
 * All lanes of a statement read, then all lanes write, statement after statement; plan/check/check.c proves that this
 * keeps every dependence but those of sums whose order is free. */
#include "plan/loop_plan.h"
#include "sched/steps/split.h"

static enum status apply(struct schedule *schedule, const struct step *step)
{
    struct loop_ref ref;
    struct loop_plan plan;

    if (!loop_plan_has_vectors(schedule, step) || !edit_loop_argument(schedule, step, "vectorize", &ref) ||
        !loop_plan_may_be_vector(schedule, &ref))
        return STATUS_REFUSED;
    plan = loop_plan_of(ref.info);
    if (plan.vector)
        return edit_refuse(schedule, step->place, "vectorize", NULL, "`%s` runs in vectors already", ref.info->name);
    plan.vector = true;
    plan.lanes = (int)step_int(step, "lanes", 0);
    plan.tail = split_tail(step);
    plan.vector_step = step;
    return loop_plan_set(schedule, ref.info->id, &plan);
}

static const struct argument arguments[] = {
    {.key = "vectorize", .kind = ARGUMENT_LOOP, .required = true, .doc = "a loop"},
    {.key = "lanes",
     .kind = ARGUMENT_INT,
     .minimum = 2,
     .fallback = "all iterations, or a register's",
     .doc = "of one step: more than a register has are several registers"},
    {.key = "tail",
     .kind = ARGUMENT_CHOICE,
     .choices = "auto peel mask exact",
     .fallback = "auto",
     .doc = "how iterations that fill no vector are emitted"},
    {0},
};

const struct primitive primitive_vectorize = {
    .name = "vectorize",
    .summary = "run the iterations of a loop in vector lanes",
    .rule = "The iterations run in the lanes of vector registers, with intrinsics of the target's "
            "instruction set. Conditions become masks; reductions are accumulated in vectors "
            "where their order is free. Where an iteration has an array for itself, the loop becomes "
            "strips of as many iterations as there are lanes.",
    .proved = "The loop carries no dependence over fewer iterations than there are lanes, reductions "
              "whose order is free excepted.",
    .argument = arguments,
    .apply = apply,
};
