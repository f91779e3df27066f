/* Legality by enumeration against legality by isl. */
#include "judge.h"

#include "dates.h"
#include "trace.h"
#include "values.h"

#include "dep/live_range.h"

#include <stdlib.h>

enum { MAX_EVENTS = 250, MANY_EVENTS = 2000 };

static void describe(const struct schedule *schedule, const struct violation *violation, const char *what,
                     struct text *reason)
{
    text_add(reason, "the counterexample ");
    violation_print_instance(reason, violation->dependence->from->statement, violation->earlier);
    text_add(reason, " before ");
    violation_print_instance(reason, violation->dependence->to->statement, violation->later);
    text_add(reason, ", ");
    violation_print_params(reason, schedule->program, violation);
    text_addf(reason, ": %s", what);
}

static void take(struct trace *trace, const struct schedule *schedule, const int64_t *param, int limit)
{
    if (schedule->program->described)
        trace_take_changed(trace, schedule->program, schedule->original, param, limit);
    else
        trace_take(trace, schedule->program, param, limit);
}

static bool dates_of(const struct schedule *schedule, const int64_t *param, const struct trace *trace,
                     struct date *date, struct text *reason)
{
    for (int k = 0; k < trace->n; k++)
        if (!date_of(schedule->order, schedule->program, param, trace->event[k].statement, trace->event[k].instance,
                     &date[k])) {
            text_addf(reason, "the order lacks an instance of %s", trace->event[k].statement->label);
            return false;
        }
    return true;
}

/* Do the two conflict only about temporaries whose values all stay what they are? Of a few events only. */
static bool is_kept(const struct schedule *schedule, const struct violation *violation, const struct trace *trace,
                    int a, int b)
{
    struct text reason = {0};
    struct date *date;
    bool kept;

    if (trace->n > MANY_EVENTS || values_conflict(&trace->event[a], &trace->event[b]))
        return false;
    date = calloc((size_t)trace->n + 1, sizeof(*date));
    kept = dates_of(schedule, violation->param, trace, date, &reason) && values_changed(trace, date) < 0;
    free(date);
    text_free(&reason);
    return kept;
}

/* Is the counterexample a conflicting pair that the final order swaps? */
static bool confirmed(const struct schedule *schedule, const struct violation *violation, struct text *reason)
{
    const struct program *program = schedule->program;
    const struct statement *from = violation->dependence->from->statement, *to = violation->dependence->to->statement;
    struct trace trace;
    struct date earlier, later;

    take(&trace, schedule, violation->param, 1 << 16);
    const int a = trace_find(&trace, from, violation->earlier), b = trace_find(&trace, to, violation->later);
    const bool dated = date_of(schedule->order, program, violation->param, from, violation->earlier, &earlier) &&
                       date_of(schedule->order, program, violation->param, to, violation->later, &later);
    if (a < 0 || b < 0 || a >= b)
        describe(schedule, violation, "they do not run in this order", reason);
    else if (!trace_conflict(&trace.event[a], &trace.event[b], true))
        describe(schedule, violation, "they do not conflict", reason);
    else if (!dated || date_compare(&earlier, &later) < 0)
        describe(schedule, violation, "they are not swapped", reason);
    else if (is_kept(schedule, violation, &trace, a, b))
        describe(schedule, violation, "they are swapped, but no value is another", reason);
    trace_free(&trace);
    return !reason->size;
}

static bool no_pair_swapped(const struct schedule *schedule, const int64_t *param, struct text *reason)
{
    struct trace trace;

    take(&trace, schedule, param, MAX_EVENTS);
    struct date *date = calloc((size_t)trace.n + 1, sizeof(*date));
    bool good = dates_of(schedule, param, &trace, date, reason);
    int changed;

    for (int b = 0; good && b < trace.n; b++)
        for (int a = 0; good && a < b; a++)
            if (date_compare(&date[a], &date[b]) >= 0 && values_conflict(&trace.event[a], &trace.event[b])) {
                text_addf(reason, "accepted, but %s and %s are swapped at N = %lld", trace.event[a].statement->label,
                          trace.event[b].statement->label, (long long)param[0]);
                good = false;
            }
    if (good && (changed = values_changed(&trace, date)) >= 0) {
        text_addf(reason, "accepted, but %s reads another value of a temporary at N = %lld",
                  trace.event[changed].statement->label, (long long)param[0]);
        good = false;
    }
    free(date);
    trace_free(&trace);
    return good;
}

static bool no_pair_swapped_at_small_sizes(const struct schedule *schedule, struct text *reason)
{
    static const int64_t sizes[][2] = {{2, 3}, {4, 3}, {3, 6}};
    int64_t param[16] = {0};
    bool good = schedule->program->n_param <= 16;

    for (int s = 0; s < 3 && good; s++) {
        for (int k = 0; k < schedule->program->n_param; k++)
            param[k] = sizes[s][k % 2];
        good = !run_allowed(schedule->program, param) || no_pair_swapped(schedule, param, reason);
    }
    return good;
}

static enum verdict judge_order(const struct schedule *schedule, struct text *reason)
{
    isl_schedule *isl = order_to_schedule(schedule->order);
    struct violation violation;
    const bool illegal = live_range_find_violation(schedule->arena, schedule_dependences(schedule), isl, &violation);

    isl_schedule_free(isl);
    if (illegal)
        return confirmed(schedule, &violation, reason) ? VERDICT_ILLEGAL : VERDICT_WRONG;
    return no_pair_swapped_at_small_sizes(schedule, reason) ? VERDICT_LEGAL : VERDICT_WRONG;
}

enum verdict judge(struct arena *arena, const struct program *program, struct diags *diags, struct text *reason)
{
    struct schedule *schedule;

    return judge_applied(arena, program, diags, &schedule, reason);
}

enum verdict judge_applied(struct arena *arena, const struct program *program, struct diags *diags,
                           struct schedule **schedule, struct text *reason)
{
    const struct order *original = order_original(arena, program);
    isl_schedule *isl = order_to_schedule(original);
    struct dependences *dependences = dependences_compute(arena, program, isl, (struct interest){0});
    enum status status;

    isl_schedule_free(isl);
    if (!dependences)
        return VERDICT_UNDECIDED;
    *schedule = schedule_new(arena, program, dependences, original, diags);
    status = schedule_apply(*schedule);
    if (status != STATUS_OK)
        return status == STATUS_REFUSED ? VERDICT_STRUCTURE : VERDICT_UNDECIDED;
    return judge_order(*schedule, reason);
}
