#include "run/tune.h"

#include "run/measure.h"
#include "run/tune_jobs.h"
#include "run/tune_parts.h"
#include "run/tune_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A batch, and how often candidates are drawn for each place in it before there is nothing new. */
enum { BATCH = 8, DRAWS_FOR_ONE = 60 };

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool is_over(const struct tune *tune)
{
    const struct run_options *options = tune->options;

    if (run_stopped(options))
        return true;
    if (options->trials > 0)
        return tune->tried >= options->trials;
    return now() - tune->start > (double)options->time;
}

static void tell(const struct tune *tune)
{
    char *line = arena_printf(tune->report->arena, "%d measured, %d refused, best %.4g ms, %.2f times; %.0f s",
                              tune->tried, tune->refused, tune->best * 1e-6,
                              tune->best > 0 ? tune->original_time / tune->best : 0, now() - tune->start);

    if (tune->options->progress)
        tune->options->progress(line, tune->options->progress_user);
}

/* Runs the original for the results that all others must have, and for its time. */
static polynest_status record(struct tune *tune)
{
    struct outcome outcome;
    struct text why = {0};
    bool ok = true;

    for (int k = 0; k < N_JOB && ok; k++) {
        subject_run(&tune->scratch, &tune->original, &tune->job[k], "record", tune_results(k), 0, 0, tune->options,
                    &outcome);
        ok = outcome.ending == ENDED_WITH_STATUS && outcome.value == 0;
        if (!ok) {
            outcome_explain(&why, &tune->original, &tune->job[k], &outcome, tune->options);
            run_error(tune->report, "the description in its own order cannot be run: %s", text_str(&why));
        }
        text_free(&outcome.text);
    }
    text_free(&why);
    if (!ok)
        return POLYNEST_ENVIRONMENT;
    struct times times = {0};
    measure(tune->report->arena, &tune->scratch, &tune->original, &tune->job[0], "-", 0, 0, tune->options, &times,
            &outcome);
    text_free(&outcome.text);
    tune->original_time = times_median(&times);
    return POLYNEST_OK;
}

/* Sizes: those that were given, then two small ones, whatever was given. */
static polynest_status make_jobs(struct tune *tune)
{
    static const char *const names[N_JOB] = {"job0", "job1", "job2"};
    polynest *small = polynest_copy(tune->p);
    polynest_status status = POLYNEST_OK;

    polynest_set_size(small, NULL, 0);
    for (int k = 0; k < N_JOB && status == POLYNEST_OK; k++) {
        status = workload_read(tune->report, k ? small : tune->p, (unsigned)k, &tune->original, &tune->workload[k]);
        tune->job[k] = (struct job){.name = names[k],
                                    .params = tune->workload[k].params,
                                    .rounded = tune->workload[k].rounded,
                                    .approximate = tune->workload[k].approximate,
                                    .seed = tune->options->seed + k,
                                    .at_end = k > 0};
        if (status == POLYNEST_OK && !job_write(tune->report, &tune->scratch, &tune->original, &tune->job[k]))
            status = POLYNEST_ENVIRONMENT;
    }
    polynest_free(small);
    return status;
}

void tune_keep(struct tune *tune, const struct candidate *candidate, const char *result, const struct times *times)
{
    const struct known known = {*candidate, result, times ? times_median(times) : 0, times ? times->n : 0};

    tune_log_add(&tune->log, &known);
}

/* It is the best one so far. */
static void prefer(struct tune *tune, const struct candidate *candidate, double median)
{
    const char *steps = candidate_steps(&tune->candidates, candidate);

    tune->best = median;
    if (steps)
        candidates_prefer(&tune->candidates, steps);
}

/* What an earlier run knows counts as if it had been found now. */
static void take_known(struct tune *tune, const struct known *known)
{
    if (strcmp(known->result, "refused") == 0) {
        tune->refused++;
        return;
    }
    tune->tried++;
    if (known->median > 0 && (tune->best <= 0 || known->median < tune->best))
        prefer(tune, &known->candidate, known->median);
}

static void take_all_known(struct tune *tune)
{
    for (int k = 0; k < tune->log.resumed; k++)
        take_known(tune, &tune->log.known.at[k]);
}

/* Draws until the batch is full, time is over, or nothing new comes. */
static int fill(struct tune *tune, struct runner *runner, int most)
{
    int n = 0;

    for (int draws = 0; n < most && draws < DRAWS_FOR_ONE * most && !is_over(tune); draws++) {
        const struct candidate candidate = candidates_next(&tune->candidates);
        bool again = tune_log_find(&tune->log, &candidate);

        for (int k = 0; k < n; k++)
            again = again || strcmp(runner[k].candidate.key, candidate.key) == 0;
        runner[n] = (struct runner){0};
        if (!again && tune_emit(tune, &candidate, n, &runner[n]))
            n++;
        tell(tune);
    }
    return n;
}

static void keep_batch(struct tune *tune, struct runner *runner, int n)
{
    for (int k = 0; k < n; k++) {
        const double median = times_median(&runner[k].times);

        if (run_stopped(tune->options) && (runner[k].result || runner[k].times.n == 0))
            continue;
        tune_keep(tune, &runner[k].candidate, runner[k].result ? runner[k].result : "measured",
                  runner[k].result ? NULL : &runner[k].times);
        tune->tried++;
        if (runner[k].result || median <= 0 || (tune->best > 0 && median >= tune->best))
            continue;
        prefer(tune, &runner[k].candidate, median);
    }
}

static polynest_status search(struct tune *tune)
{
    struct runner runner[BATCH];
    polynest_status status = POLYNEST_OK;
    int n = 1;

    candidates_start(&tune->candidates);
    take_all_known(tune);
    while (status == POLYNEST_OK && n > 0 && !is_over(tune)) {
        const int64_t left = tune->options->trials - tune->tried;

        n = fill(tune, runner, tune->options->trials > 0 && left < BATCH ? (int)left : BATCH);
        tune_build(tune, runner, n);
        status = tune_check(tune, runner, n);
        if (status == POLYNEST_OK)
            tune_halve(tune, runner, n);
        if (status == POLYNEST_OK)
            keep_batch(tune, runner, n);
        tell(tune);
    }
    return status;
}

static polynest_status prepare(struct tune *tune)
{
    polynest *p = polynest_copy(tune->p);
    polynest_status status;

    polynest_set_unscheduled(p, 1);
    status = subject_emit(tune->report, p, "original", tune->options, &tune->original);
    if (status != POLYNEST_OK)
        return status;
    tune->original.flags = tune->options->flags ? tune->options->flags : "-O3 -march=native";
    status = make_jobs(tune);
    if (status == POLYNEST_OK)
        status = subjects_build(tune->report, &tune->scratch, &tune->original, 1, tune->options);
    if (status == POLYNEST_OK && !tune_log_open(&tune->log, tune->report, tune->options->log, tune->p,
                                                tune->original.function, &tune->job[0].params))
        status = POLYNEST_USAGE;
    return status == POLYNEST_OK ? record(tune) : status;
}

/* What the options ask for: jobs, one of them, what came of them, or all at once. */
static polynest_status work(struct tune *tune)
{
    const struct run_options *options = tune->options;
    polynest_status status;

    if (options->plan)
        return tune_plan(tune, options->plan);
    if (options->only)
        return tune_only(tune, options->only);
    if (options->merge) {
        status = tune_merge(tune, options->merge);
        tune->log.resumed = tune->log.known.n;
        take_all_known(tune);
    } else {
        status = search(tune);
    }
    if (status == POLYNEST_OK && options->page && !tune_report(tune, options->page))
        return POLYNEST_ENVIRONMENT;
    return status == POLYNEST_OK ? tune_finish(tune) : status;
}

polynest_status run_tune(struct run_report *report, const polynest *p, const struct run_options *options)
{
    struct tune tune = {.report = report, .p = p, .options = options, .start = now()};
    struct text why = {0};
    polynest_status status = POLYNEST_ENVIRONMENT;

    if (scratch_open(&tune.scratch, &why)) {
        status = prepare(&tune);
        if (status == POLYNEST_OK) {
            candidates_init(&tune.candidates, report->arena, p, options->seed, options->from);
            status = work(&tune);
        }
        scratch_close(&tune.scratch);
    } else {
        run_error(report, "%s", text_str(&why));
    }
    text_free(&why);
    return status;
}
