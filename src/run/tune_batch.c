#include "run/tune_parts.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_REPETITIONS = 200 };

/* Nanoseconds that the better half of a batch is measured for at first. */
static const double first_time = 2e7;
/* A candidate that takes so many times as long as the best one is not waited for. */
static const double patience = 10;

/* Seconds for a run of some calls: what would be too slow is not waited for. */
static struct run_options impatient(const struct tune *tune, int calls)
{
    const double longest = tune->best > 0 ? tune->best : tune->original_time;
    struct run_options options = *tune->options;
    const double seconds = 2 + patience * longest * 1e-9 * (calls + 1);

    if (seconds < (double)options.timeout)
        options.timeout = (int64_t)seconds;
    return options;
}

const char *tune_results(int job)
{
    static const char *const names[N_JOB] = {"results0", "results1", "results2"};

    return names[job];
}

bool tune_emit(struct tune *tune, const struct candidate *candidate, int number, struct runner *runner)
{
    struct run_report own = {.arena = tune->report->arena, .diags = diags_new(tune->report->arena)};
    const char *name = arena_printf(tune->report->arena, "candidate%d", number);
    const polynest_status status =
        subject_emit(&own, candidate_open(tune->p, candidate), name, tune->options, &runner->subject);

    if (status != POLYNEST_OK) {
        tune->refused++;
        tune->refusal = own.refused.size > 0 ? arena_copy(own.arena, text_str(&own.refused)) : "";
        tune_keep(tune, candidate, "refused", NULL);
    } else {
        runner->candidate = *candidate;
        runner->subject.flags = tune->original.flags;
    }
    text_free(&own.refused);
    text_free(&own.refused_json);
    return status == POLYNEST_OK;
}

void tune_build(struct tune *tune, struct runner *runner, int n)
{
    const int jobs = tune->options->jobs < n ? (int)tune->options->jobs : n;
    int started = 0;

    for (int done = 0; done < n; done++) {
        struct run_report own = {.arena = tune->report->arena, .diags = diags_new(tune->report->arena)};

        for (; started < n && started < done + jobs; started++)
            if (!subject_start_build(&own, &tune->scratch, &runner[started].subject, &runner[started].process))
                runner[started].result = "failed";
        if (!runner[done].result &&
            subject_finish_build(&own, &runner[done].subject, &runner[done].process, tune->options) != POLYNEST_OK)
            runner[done].result = "failed";
    }
}

static polynest_status tell_wrong(const struct tune *tune, const struct runner *runner, int job,
                                  const struct outcome *outcome)
{
    struct text why = {0};

    outcome_explain(&why, &runner->subject, &tune->job[job], outcome, tune->options);
    text_add(&why, "; at ");
    params_print(&why, &tune->job[job].params);
    run_error(
        tune->report,
        "a candidate does not compute what the description does, which is a fault of polynest or of the compiler: %s; "
        "it is %s",
        text_str(&why), runner->candidate.key);
    text_free(&why);
    return POLYNEST_REFUSED;
}

/* What it computes must be right before its time counts; that of the job that is measured is a first one. */
static polynest_status check(struct tune *tune, struct runner *runner, int job)
{
    const struct run_options options = impatient(tune, 1);
    polynest_status status = POLYNEST_OK;
    struct times others = {0};
    struct outcome outcome;

    measure(tune->report->arena, &tune->scratch, &runner->subject, &tune->job[job], tune_results(job),
            tune->workload[job].terms, 0, &options, job == 0 ? &runner->times : &others, &outcome);
    if (outcome.ending == ENDED_BY_TIME)
        runner->result = "slow";
    else if (outcome_lacks_machine(&outcome))
        runner->result = "failed";
    else if (outcome.ending != ENDED_WITH_STATUS || outcome.value != 0)
        status = tell_wrong(tune, runner, job, &outcome);
    text_free(&outcome.text);
    return status;
}

polynest_status tune_check(struct tune *tune, struct runner *runner, int n)
{
    polynest_status status = POLYNEST_OK;

    for (int k = 0; k < n; k++)
        for (int job = N_JOB - 1; job >= 0 && status == POLYNEST_OK; job--)
            if (!runner[k].result && !run_stopped(tune->options))
                status = check(tune, &runner[k], job);
    return status;
}

void tune_time(struct tune *tune, struct runner *runner, double nanoseconds)
{
    const double known = tune->best > 0 ? tune->best : tune->original_time;
    const double each = runner->times.n > 0 ? times_median(&runner->times) : known;
    const double wanted = each > 0 ? nanoseconds / each : 0;
    const int repetitions = wanted > MOST_REPETITIONS ? MOST_REPETITIONS : (int)wanted;
    const struct run_options options = impatient(tune, repetitions);
    struct outcome outcome;

    if (!measure(tune->report->arena, &tune->scratch, &runner->subject, &tune->job[0], "-", 0, repetitions, &options,
                 &runner->times, &outcome))
        runner->result = outcome.ending == ENDED_BY_TIME ? "slow" : "failed";
    text_free(&outcome.text);
}

static int by_time(const void *a, const void *b)
{
    const struct runner *x = a, *y = b;
    const double s = x->result ? 1e300 : times_median(&x->times), t = y->result ? 1e300 : times_median(&y->times);

    return (s > t) - (s < t);
}

void tune_sort(struct runner *runner, int n)
{
    qsort(runner, (size_t)n, sizeof(*runner), by_time);
}

/* A first call may be slow, but not that much. */
static bool is_hopeless(const struct tune *tune, const struct runner *runner)
{
    return tune->best > 1e8 && times_median(&runner->times) > 2 * tune->best;
}

void tune_halve(struct tune *tune, struct runner *runner, int n)
{
    double nanoseconds = first_time;

    tune_sort(runner, n);
    for (int left = (n + 1) / 2; left > 0 && !run_stopped(tune->options); left /= 2, nanoseconds *= 2) {
        for (int k = 0; k < left; k++)
            if (!runner[k].result && !is_hopeless(tune, &runner[k]))
                tune_time(tune, &runner[k], nanoseconds);
        tune_sort(runner, left);
    }
}
