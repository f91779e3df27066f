#include "plan/storage/contract_refusals.h"

#include "caps/gpu.h"
#include "plan/loop_plan.h"

#include <string.h>

/* What is for one iteration of a loop whose iterations run at once, in memory that they share. */
static enum status refuse_memory(const struct schedule *schedule, const struct footprint *footprint)
{
    const struct array *array = footprint->array;
    struct diag *diag =
        diag_error(schedule->diags, "memory", array_memory_place(array),
                   "`%s` is shared by all threads of a block, but belongs to one iteration of `%s`, "
                   "which is bound to %s",
                   array->name, footprint->next->info->name, axis_name(footprint->next->info->plan->axis));

    diag_hint(schedule->diags, diag,
              "\"local\" memory is each thread's, or `%s` may belong to an iteration of a loop around those that are "
              "bound to threads",
              array->name);
    return STATUS_REFUSED;
}

/* Does an iteration of the loops that are left need what several iterations of those in its subscripts have? */
static bool leaves_iteration(const struct footprint *footprint)
{
    if (footprint->depth < footprint->array->n_iteration)
        return true;
    for (int d = 0; d < footprint->array->n_iteration; d++)
        if (!footprint_is_one(footprint, d))
            return true;
    return false;
}

/* Is there no further loop around all uses, as where a loop is cut into pieces? */
static bool in_pieces(const struct footprint *footprint)
{
    return footprint->depth < footprint->array->n_iteration && !footprint->next;
}

/* Have copies of a loop moved into the loops below? */
static bool has_jam(const struct order *order)
{
    const struct loop_plan *plan = order->kind == ORDER_LOOP ? order->info->plan : NULL;
    bool found = plan && plan->unroll_step && step_int(plan->unroll_step, "jam", 0);

    for (int k = 0; k < order->n_child && !found; k++)
        found = has_jam(order->child[k]);
    return found;
}

/* Why the array cannot be one iteration's. */
static const char *why_not(const struct schedule *schedule, const struct footprint *footprint)
{
    if (footprint->array->is_while && has_jam(schedule->order))
        return "copies with `jam` would share the loop, which ends for each of them by itself";
    if (!leaves_iteration(footprint))
        return "its subscripts in an iteration have no single form";
    if (footprint->depth < footprint->array->n_iteration && footprint->next && footprint->end == END_COLLAPSED)
        return "the loop is collapsed with others";
    if (footprint->array->is_while && in_pieces(footprint))
        return "in the final order several loops beside each other use it";
    return footprint->array->is_buffer ? "in the final order its values leave the iteration that fills it"
                                       : "in the final order its values leave the iteration that computes them";
}

/* The step of the plan that gave each iteration an array of its own; NULL: none did. */
static const struct step *privatizing_step(const struct schedule *schedule, const struct array *array)
{
    const struct program *program = schedule->program;

    for (int k = 0; k < program->n_plan; k++) {
        const struct step *step = &program->plan[k];
        const char *of = step_string(step, "privatize", NULL);

        if (of && (strcmp(of, array->name) == 0 || step->place.offset == array->place.offset))
            return step;
    }
    return NULL;
}

static enum status refuse_private(const struct schedule *schedule, const struct footprint *footprint,
                                  const struct step *step)
{
    const char *name = footprint->array->name;
    struct diag *diag = diag_error(schedule->diags, "privatize", step->place, "`%s` cannot be one iteration's: %s",
                                   name, why_not(schedule, footprint));

    if (leaves_iteration(footprint))
        diag_hint(schedule->diags, diag, "`expand` in the schedule gives each iteration elements that stay its own");
    return STATUS_REFUSED;
}

/* By the rule by which the array came to have iterations in front. */
static struct diag *tell_iterations(const struct schedule *schedule, const struct footprint *footprint)
{
    const struct array *array = footprint->array;
    const char *rule = array->is_buffer ? "cache" : array->is_while ? "while" : "compute_at";
    const char *before = array->is_buffer ? "the buffer " : array->is_while ? "" : "the storage of ";
    const char *after = array->is_buffer  ? ""
                        : array->is_while ? ", which tells whether the loop goes on,"
                                          : ", which is computed at a loop,";

    return diag_error(schedule->diags, rule, array->place, "%s`%s`%s cannot be one iteration's: %s", before,
                      array->name, after, why_not(schedule, footprint));
}

enum status contract_refuse_iterations(const struct schedule *schedule, const struct footprint *footprint)
{
    const struct array *array = footprint->array;
    const bool leaves = leaves_iteration(footprint);
    const struct step *step = array->is_buffer ? NULL : privatizing_step(schedule, array);
    struct diag *diag;

    if (footprint->depth < array->n_iteration && footprint->next && footprint->end == END_SHARED)
        return refuse_memory(schedule, footprint);
    if (step)
        return refuse_private(schedule, footprint, step);
    if (array->is_call) {
        diag_error(schedule->diags, "called", array->place, "the call is not in one iteration: steps take it apart");
        return STATUS_REFUSED;
    }
    diag = tell_iterations(schedule, footprint);
    if (array->is_buffer && leaves && has_jam(schedule->order))
        diag_hint(schedule->diags, diag,
                  "`unroll` with `jam` in front of the `cache`, which is then one of all copies");
    else if (array->is_buffer && leaves)
        diag_hint(schedule->diags, diag, "a cache of `%s` itself goes no further out than `%s` is filled", array->name,
                  array->name);
    else if (array->is_while && has_jam(schedule->order))
        diag_hint(schedule->diags, diag, "`unroll` without `jam`");
    else if (array->is_while && in_pieces(footprint))
        diag_hint(schedule->diags, diag, "no `fission` of a loop around the one that ends early");
    else if (!array->is_buffer && !array->is_while && !leaves)
        diag_hint(schedule->diags, diag, "clamp subscripts where `%s` is computed, not where it is read", array->name);
    return STATUS_REFUSED;
}

/* By why there is none, and what helps. */
static enum status refuse_window(const struct schedule *schedule, const struct array *array, const char *why,
                                 const char *hint)
{
    struct diag *diag =
        diag_error(schedule->diags, "storage", array->place, "`%s` has no window: %s", array->name, why);

    diag_hint(schedule->diags, diag, "%s", hint);
    return STATUS_REFUSED;
}

enum status contract_refuse_window(const struct schedule *schedule, const struct array *array, bool bound)
{
    if (array->init_zero)
        return refuse_window(schedule, array, "it starts with zeros, so that all of it is live from the start",
                             "without \"init\" and with statements that write the zeros in the iterations that need "
                             "them");
    if (bound)
        return refuse_window(schedule, array, "blocks or threads of the device share it",
                             "on a device there are windows of what one thread uses by itself; without \"window\" all "
                             "of it is kept");
    return refuse_window(schedule, array, "in no dimension is a constant number of its elements live at a time",
                         "a time is an iteration of loops around all uses that run one iteration after the other; "
                         "without \"window\" all of it is kept");
}
