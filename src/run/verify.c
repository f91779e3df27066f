#include "run/verify.h"

#include "run/told.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A run that is drawn has no more operations than the reference makes in a second or so. */
static const double most_operations = 3e8;

enum { MOST_DRAWS = 8 };

struct verification {
    struct run_report *report;
    const polynest *p;
    const struct run_options *options;
    struct scratch scratch;
    struct subject reference, scheduled;
    unsigned drawn;
};

static polynest_status emit(struct verification *v)
{
    polynest *reference = polynest_copy(v->p);
    polynest_status status = subject_emit(v->report, polynest_copy(v->p), "scheduled", v->options, &v->scheduled);

    if (status != POLYNEST_OK) {
        polynest_free(reference);
        return status;
    }
    polynest_set_unscheduled(reference, 1);
    return subject_emit(v->report, reference, "reference", v->options, &v->reference);
}

/* The next sizes that are not too large. */
static polynest_status draw(struct verification *v, struct workload *workload)
{
    polynest_status status = POLYNEST_OK;

    for (int k = 0; k < MOST_DRAWS && status == POLYNEST_OK; k++) {
        status = workload_read(v->report, v->p, v->drawn++, &v->scheduled, workload);
        if (workload->operations <= most_operations)
            break;
    }
    return status;
}

static void describe(struct text *out, const struct job *job)
{
    params_print(out, &job->params);
    text_addf(out, " (seed %" PRId64 ")", job->seed);
}

/* The reference cannot be blamed on the schedule. */
static polynest_status tell_reference(const struct verification *v, const struct job *job,
                                      const struct outcome *outcome)
{
    struct text what = {0};

    describe(&what, job);
    text_add(&what, ": ");
    outcome_explain(&what, &v->reference, job, outcome, v->options);
    run_error(v->report, "the description without schedule and plan cannot be run at %s", text_str(&what));
    text_free(&what);
    return POLYNEST_ENVIRONMENT;
}

static polynest_status tell_scheduled(const struct verification *v, const struct job *job,
                                      const struct outcome *outcome)
{
    struct text what = {0};

    outcome_explain(&what, &v->scheduled, job, outcome, v->options);
    text_add(&what, "; at ");
    describe(&what, job);
    run_error(v->report,
              outcome_lacks_machine(outcome) ? "the scheduled code cannot be run: %s"
                                             : "the scheduled code does not compute what the description does: %s",
              text_str(&what));
    text_free(&what);
    return outcome_lacks_machine(outcome) ? POLYNEST_ENVIRONMENT : POLYNEST_REFUSED;
}

static bool is_fine(const struct outcome *outcome)
{
    return outcome->ending == ENDED_WITH_STATUS && outcome->value == 0;
}

/* told: what the driver, and perhaps others, wrote. */
static void add_line(struct text *out, const struct job *job, const struct workload *workload, const char *told)
{
    const char *line = told_after(told, "apart");
    const double apart = line ? strtod(line, NULL) : 0;

    text_add(out, "  ");
    describe(out, job);
    if (workload->terms > 0 && apart > 0)
        text_addf(out, ": %.3g rounding errors of the largest result apart, %.0f allowed", apart, workload->terms);
    else
        text_add(out, ": the same bits");
    told_by_others(out, told);
    text_char(out, '\n');
}

static polynest_status compare(const struct verification *v, const struct job *job, const struct workload *workload)
{
    polynest_status status = POLYNEST_OK;
    struct outcome outcome;

    if (!job_write(v->report, &v->scratch, &v->scheduled, job))
        return POLYNEST_ENVIRONMENT;
    subject_run(&v->scratch, &v->reference, job, "record", "results", 0, 0, v->options, &outcome);
    if (!is_fine(&outcome))
        status = tell_reference(v, job, &outcome);
    text_free(&outcome.text);
    if (status != POLYNEST_OK)
        return status;
    subject_run(&v->scratch, &v->scheduled, job, "compare", "results", workload->terms, 0, v->options, &outcome);
    if (!is_fine(&outcome))
        status = tell_scheduled(v, job, &outcome);
    else
        add_line(&v->report->output, job, workload, text_str(&outcome.text));
    text_free(&outcome.text);
    return status;
}

static polynest_status compare_all(struct verification *v)
{
    struct text *out = &v->report->output;
    polynest_status status = POLYNEST_OK;

    text_addf(out, "%s: what is emitted computes what the description does\n", v->scheduled.function);
    for (int64_t k = 0; k < v->options->runs && status == POLYNEST_OK; k++) {
        struct workload workload;
        struct job job = {.name = "job", .seed = v->options->seed + k, .at_end = k % 4 < 3};

        status = draw(v, &workload);
        job.params = workload.params;
        job.rounded = workload.rounded;
        job.approximate = workload.approximate;
        if (status == POLYNEST_OK)
            status = compare(v, &job, &workload);
    }
    if (status != POLYNEST_OK)
        text_truncate(out, 0);
    return status;
}

static polynest_status build_and_compare(struct verification *v)
{
    const struct subject both[] = {v->reference, v->scheduled};
    const polynest_status status = subjects_build(v->report, &v->scratch, both, 2, v->options);

    return status == POLYNEST_OK ? compare_all(v) : status;
}

polynest_status run_verify(struct run_report *report, const polynest *p, const struct run_options *options)
{
    struct verification v = {.report = report, .p = p, .options = options};
    struct text why = {0};
    polynest_status status = emit(&v);

    if (status == POLYNEST_OK && !scratch_open(&v.scratch, &why)) {
        run_error(report, "%s", text_str(&why));
        status = POLYNEST_ENVIRONMENT;
    } else if (status == POLYNEST_OK) {
        status = build_and_compare(&v);
        scratch_close(&v.scratch);
    }
    text_free(&why);
    return status;
}
