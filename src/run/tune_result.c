#include "run/tune_parts.h"

#include <inttypes.h>
#include <string.h>

enum { LAST_ROUNDS = 3, FINALISTS = 3 };

/* Nanoseconds that each of the best ones is measured for in a round. */
static const double last_time = 8e7;

/* The best of what is known that is not among the n before. */
static const struct known *best_known(const struct tune *tune, const struct runner *before, int n)
{
    const struct known *best = NULL;

    for (int k = 0; k < tune->log.known.n; k++) {
        const struct known *known = &tune->log.known.at[k];
        bool there = strcmp(known->result, "measured") != 0 || !candidate_steps(&tune->candidates, &known->candidate);

        for (int i = 0; i < n; i++)
            there = there || strcmp(before[i].candidate.key, known->candidate.key) == 0;
        if (!there && (!best || known->median < best->median))
            best = known;
    }
    return best;
}

/* The best ones once more, as the schedule files that they become, in turn, and the original beside them: *n of them,
 * the best first. */
static void final(struct tune *tune, struct runner *runner, int *n, struct times *original)
{
    const struct known *known;
    struct candidate candidate;
    struct outcome outcome;

    for (*n = 0; *n < FINALISTS && (known = best_known(tune, runner, *n)); ++*n) {
        runner[*n] = (struct runner){.candidate = known->candidate};
        candidate = known->candidate;
        candidate.steps = candidate_steps(&tune->candidates, &known->candidate);
        candidate.set = NULL;
        if (!tune_emit(tune, &candidate, *n, &runner[*n]))
            runner[*n].result = "refused";
    }
    tune_build(tune, runner, *n);
    for (int round = 0; round < LAST_ROUNDS; round++) {
        measure(tune->report->arena, &tune->scratch, &tune->original, &tune->job[0], "-", 0, 0, tune->options, original,
                &outcome);
        text_free(&outcome.text);
        for (int k = 0; k < *n; k++)
            if (!runner[k].result)
                tune_time(tune, &runner[k], last_time);
    }
    tune_sort(runner, *n);
}

static void add_list(struct text *out, const struct json *steps, const char *key)
{
    const struct json *list = json_member(steps, key);

    text_addf(out, "  \"%s\": [", key);
    for (int k = 0; list && k < list->n; k++) {
        text_add(out, k ? ",\n    " : "\n    ");
        json_print(out, list->item[k]);
    }
    text_add(out, list && list->n > 0 ? "\n  ],\n" : "],\n");
}

static void add_figures(const struct tune *tune, const struct runner *best, const struct times *original)
{
    struct text *out = &tune->report->output;
    int measured = 0;

    for (int k = 0; k < tune->log.known.n; k++)
        measured += strcmp(tune->log.known.at[k].result, "measured") == 0;
    text_addf(out, "// found by polynest tune for %s at ", tune->original.function);
    params_print(out, &tune->job[0].params);
    if (tune->options->threads > 0)
        text_addf(out, " with --threads %" PRId64, tune->options->threads);
    text_addf(out, ": %.4g ms, %.2f times as fast as the description's own\n", times_median(&best->times) * 1e-6,
              times_median(original) / times_median(&best->times));
    text_addf(out, "// order (%s %s); from \"%s\". %d candidates were measured, %d were illegal, seed %" PRId64 ".\n",
              tune->original.compiler, tune->original.flags, best->candidate.from, measured, tune->refused,
              tune->options->seed);
}

static void add_steps(const struct tune *tune, const struct runner *best)
{
    struct text *out = &tune->report->output;
    const struct json *steps = json_parse(tune->report->arena, candidate_steps(&tune->candidates, &best->candidate));
    const struct json *target = json_member(steps, "target");

    text_add(out, "{\n");
    add_list(out, steps, "schedule");
    add_list(out, steps, "plan");
    text_add(out, "  \"target\": ");
    if (target)
        json_print(out, target);
    else
        text_add(out, "{\"language\": \"c\"}");
    text_add(out, "\n}\n");
}

/* What is known, where there is no time to measure again. */
static void recall(const struct tune *tune, struct runner *runner, int *n, struct times *original)
{
    const struct known *known = best_known(tune, NULL, 0);

    *n = known != NULL;
    if (!known)
        return;
    runner[0] = (struct runner){.candidate = known->candidate, .times = {ARENA_NEW(tune->report->arena, double), 1}};
    runner[0].times.at[0] = known->median;
    *original = (struct times){ARENA_NEW(tune->report->arena, double), 1};
    original->at[0] = tune->original_time;
}

polynest_status tune_finish(struct tune *tune)
{
    struct runner runner[FINALISTS];
    struct times original = {0};
    int n;

    if (run_stopped(tune->options))
        recall(tune, runner, &n, &original);
    else
        final(tune, runner, &n, &original);
    if (n > 0 && !runner[0].result && times_median(&runner[0].times) > 0) {
        add_figures(tune, &runner[0], &original);
        add_steps(tune, &runner[0]);
        return POLYNEST_OK;
    }
    if (run_stopped(tune->options)) {
        run_error(tune->report, "it was stopped before anything was measured");
        return POLYNEST_ENVIRONMENT;
    }
    run_error(tune->report, "no candidate could be measured; the last one was refused:\n%s",
              tune->refusal ? tune->refusal : "none was drawn");
    return POLYNEST_REFUSED;
}
