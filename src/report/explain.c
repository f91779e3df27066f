#include "report/explain.h"

#include "dep/live_range.h"
#include "poly/context.h"
#include "report/explain_parts.h"

#include <stdlib.h>
#include <string.h>

void explain_pair(const struct schedule *schedule, const struct violation *violation, struct text *out)
{
    const struct dependence *dependence = violation->dependence;

    violation_print_instance(out, dependence->from->statement, violation->earlier);
    text_add(out, " before ");
    violation_print_instance(out, dependence->to->statement, violation->later);
    text_add(out, dependence->from->may || dependence->to->may ? ", both may touch " : ", both touch ");
    violation_print_element(out, schedule->arena, violation);
    text_addf(out, " (%s)%s", dependence_kind(dependence), schedule->program->n_param ? "; " : "");
    violation_print_params(out, schedule->program, violation);
}

/* Steps may be refused, and then the order is that of those before. */
static void print_refused(const struct schedule *schedule, struct text *out)
{
    if (schedule->n_step < schedule->program->n_schedule)
        text_addf(out, "step %d is refused; this is the order before it\n\n", schedule->n_step + 1);
}

bool explain_violation(const struct schedule *schedule, struct violation *violation)
{
    isl_schedule *isl = order_to_schedule(schedule->order);
    const bool found = live_range_find_violation(schedule->arena, schedule_dependences(schedule), isl, violation);

    isl_schedule_free(isl);
    return found;
}

static void explain_illegal(const struct schedule *schedule, struct violation *violation, struct text *out)
{
    const struct step *guilty = schedule_guilty_step(schedule, violation);

    text_add(out, "  ");
    violation_print_instance(out, violation->dependence->from->statement, violation->earlier);
    text_add(out, " must run before ");
    violation_print_instance(out, violation->dependence->to->statement, violation->later);
    text_add(out, ", but runs after it or at the same time\n  ");
    violation_print_reason(out, schedule->arena, schedule->program, violation);
    text_char(out, '\n');
    if (guilty) {
        text_addf(out, "  broken by step %d: ", guilty->number);
        step_print(out, guilty);
        text_char(out, '\n');
    }
    text_addf(out, "  would help: %s\n", violation_advice(schedule->arena, violation));
}

static void explain_everything(const struct schedule *schedule, struct text *out)
{
    struct violation violation;

    print_refused(schedule, out);
    explain_verdicts(schedule, out);
    text_char(out, '\n');
    explain_dependences(schedule, NULL, out);
    text_char(out, '\n');
    explain_loops(schedule, out);
    text_char(out, '\n');
    explain_whole_memory(schedule, out);
    explain_repetitions(schedule, out);
    if (explain_violation(schedule, &violation)) {
        text_add(out, "\nthe order is illegal\n");
        explain_illegal(schedule, &violation, out);
    }
}

/* A violation of the order after the step is told for that order, whatever later steps repair. */
static void explain_applied(const struct schedule *schedule, const struct step *step, struct text *out)
{
    const struct schedule then = schedule_as_after(schedule, step->number);
    struct violation violation;

    if (explain_violation(&then, &violation)) {
        text_add(out, "  the order after it is illegal\n");
        explain_illegal(&then, &violation, out);
    } else {
        text_add(out, "  the order after it is legal\n");
    }
    if (step->unsafe)
        text_addf(out, "  unsafe, because \"%s\": what it broke counts as permitted\n", step->unsafe);
    explain_fusion(schedule, step, out);
}

static bool explain_step(const struct schedule *schedule, const char *topic, struct text *out)
{
    const struct program *program = schedule->program;
    const long number = strtol(topic, NULL, 10);
    const struct step *step;

    if (number < 1 || number > program->n_schedule) {
        diag_error(schedule->diags, "step", PLACE_NONE, "there is no step %s: the schedule has %d", topic,
                   program->n_schedule);
        return false;
    }
    step = &program->schedule[number - 1];
    text_addf(out, "step %ld: ", number);
    step_print(out, step);
    text_char(out, '\n');
    explain_reason(step, out);
    if (number <= schedule->n_step)
        explain_applied(schedule, step, out);
    else
        text_addf(out, "  not applied: %s refused\n", number == schedule->n_step + 1 ? "it is" : "one before is");
    return true;
}

/* Not a loop of the schedule, but perhaps something of the plan, which comes next. */
static bool is_of_plan(const struct schedule *schedule, const char *topic)
{
    const struct program *program = schedule->program;

    return program->n_plan > 0 && schedule->n_step == program->n_schedule &&
           (strncmp(topic, "plan.", 5) == 0 || !explain_has_loop(schedule, topic));
}

enum status report_explain(const struct schedule *schedule, const char *topic, struct text *out)
{
    isl_ctx *ctx = schedule->program->ctx;
    bool found = true;
    enum status end;

    poly_begin(ctx);
    if (!topic)
        explain_everything(schedule, out);
    else if (topic[0] >= '0' && topic[0] <= '9')
        found = explain_step(schedule, topic, out);
    else if (!is_of_plan(schedule, topic))
        found = explain_loop(schedule, topic, out);
    end = poly_end(ctx, schedule->diags, "explaining the order");
    return end != STATUS_OK ? end : found ? STATUS_OK : STATUS_USAGE;
}

enum status report_explain_plan(const struct schedule *schedule, const char *topic, bool legal, struct text *out)
{
    bool found = true;
    enum status end;

    poly_begin(schedule->program->ctx);
    if (!topic)
        explain_caches(schedule, out);
    else if (topic[0] < '0' || topic[0] > '9')
        found = explain_plan_topic(schedule, topic, legal, out);
    end = poly_end(schedule->program->ctx, schedule->diags, "explaining the plan");
    return end != STATUS_OK ? end : found ? STATUS_OK : STATUS_USAGE;
}

void report_explain_device(const struct schedule *schedule, const struct order *order, struct text *out)
{
    explain_barriers(schedule->arena, order, out);
}
