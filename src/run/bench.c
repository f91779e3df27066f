#include "run/bench.h"

#include "base/json.h"
#include "base/vec.h"
#include "run/machine.h"
#include "run/measure.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Nanoseconds that an entry takes in a round, and after which it is not run again once it has been run some times. */
static const double round_time = 1e8, most_time = 1e10;

enum { MOST_REPETITIONS = 1000, ENOUGH = 3 };

/* A row of the table. The first one is the description's order by $CC, which the others are compared with. */
struct entry {
    const char *label;
    struct subject subject;
    const char *failure; /* why there are no times; NULL: there are */
    const char *hint;    /* what would help, or NULL */
    bool differs;        /* what it computes is something else */
    int repetitions;     /* in a round, after a first call; 0: that one is measured */
    struct times times;
};

struct bench {
    struct run_report *report;
    const polynest *p;
    const struct run_options *options;
    struct scratch scratch;
    struct job job;
    struct workload workload;
    VEC(struct entry) entry;
    struct machine machine;
    double bytes; /* that have to be moved at least; negative: not known */
    bool has_machine;
    const char *real; /* the type of the machine's peak in C */
};

/* Messages that are a row's, not the program's. */
static struct run_report own_messages(const struct bench *bench)
{
    return (struct run_report){.arena = bench->report->arena, .diags = diags_new(bench->report->arena)};
}

/* The first message, and an end of its texts. */
static const char *take_message(struct run_report *report)
{
    struct text text = {0};
    char *message;

    if (report->refused.size > 0)
        text_add_n(&text, text_str(&report->refused), strcspn(text_str(&report->refused), "\n"));
    else if (report->diags->list.n > 0)
        text_add(&text, report->diags->list.at[0]->message);
    message = arena_copy(report->arena, text_str(&text));
    text_free(&text);
    text_free(&report->refused);
    text_free(&report->refused_json);
    return message;
}

/* p is freed. */
static void add_entry(struct bench *bench, const char *label, polynest *p, const char *compiler, const char *flags)
{
    struct arena *arena = bench->report->arena;
    struct run_report own = own_messages(bench);
    struct entry entry = {
        .label = arena_copy(arena, label),
    };
    const polynest_status status =
        subject_emit(&own, p, arena_printf(arena, "entry%d", bench->entry.n), bench->options, &entry.subject);
    const char *message = take_message(&own);

    entry.failure = status == POLYNEST_OK ? NULL : message;
    if (compiler)
        entry.subject.compiler = compiler;
    if (status == POLYNEST_OK)
        entry.subject.flags =
            arena_printf(arena, "%s%s", bench->options->flags ? bench->options->flags : "-O3 -march=native", flags);
    VEC_PUSH(arena, &bench->entry, entry);
}

static polynest *unscheduled(const struct bench *bench)
{
    polynest *p = polynest_copy(bench->p);

    polynest_set_unscheduled(p, 1);
    return p;
}

/* Does the shell's command succeed in the scratch folder? */
static bool succeeds(const struct bench *bench, const char *command)
{
    struct outcome outcome;
    bool ok;

    process_run(bench->scratch.folder, command, bench->options, bench->options->timeout, &outcome);
    ok = outcome.ending == ENDED_WITH_STATUS && outcome.value == 0;
    text_free(&outcome.text);
    return ok;
}

static void add_originals(struct bench *bench)
{
    const char *compiler = run_compiler(bench->options);

    add_entry(bench, arena_printf(bench->report->arena, "in the order described, %s", compiler), unscheduled(bench),
              NULL, "");
    if (strstr(compiler, "clang") || !succeeds(bench, "echo 'int x;' | clang -xc -c - -o nothing.o"))
        return;
    add_entry(bench, "in the order described, clang", unscheduled(bench), "clang", "");
    if (succeeds(bench, "echo 'int x;' | clang -O3 -mllvm -polly -xc -c - -o nothing.o"))
        add_entry(bench, "in the order described, clang with Polly", unscheduled(bench), "clang", " -mllvm -polly");
}

static int length(const struct json *list)
{
    return list ? list->n : 0;
}

/* Is it the description's own order? The comment in front tells of the steps. */
static bool is_original(const struct bench *bench, const struct entry *entry)
{
    const char *one = bench->entry.at[0].subject.source, *other = entry->failure ? NULL : entry->subject.source;

    return other && strcmp(strstr(one, "*/"), strstr(other, "*/")) == 0;
}

static void add_steps(struct bench *bench)
{
    const struct json *description = json_parse(bench->report->arena, polynest_description(bench->p));
    const struct json *variants = json_member(description, "variants");
    polynest *p;

    add_entry(bench, "its steps", polynest_copy(bench->p), NULL, "");
    if (is_original(bench, &bench->entry.at[bench->entry.n - 1]))
        bench->entry.n--;
    for (int k = 0; k < length(variants); k++) {
        p = polynest_copy(bench->p);
        polynest_set_variant(p, json_text(variants->item[k], "name"));
        add_entry(bench, arena_printf(bench->report->arena, "variant %s", json_text(variants->item[k], "name")), p,
                  NULL, "");
    }
    p = polynest_copy(bench->p);
    polynest_set_auto(p, 1);
    add_entry(bench, "auto", p, NULL, "");
}

static void build(struct bench *bench)
{
    for (int k = 0; k < bench->entry.n; k++) {
        struct entry *entry = &bench->entry.at[k];
        struct run_report own = own_messages(bench);

        if (entry->failure)
            continue;
        if (subjects_build(&own, &bench->scratch, &entry->subject, 1, bench->options) == POLYNEST_OK)
            continue;
        entry->hint = own.diags->list.n > 0 ? own.diags->list.at[0]->hint : NULL;
        entry->failure = take_message(&own);
    }
}

/* Runs an entry once more; the first time its results are compared. */
static void run_entry(struct bench *bench, struct entry *entry, bool first)
{
    struct outcome outcome;
    struct text why = {0};

    if (!measure(bench->report->arena, &bench->scratch, &entry->subject, &bench->job, first ? "results" : "-",
                 bench->workload.terms, entry->repetitions, bench->options, &entry->times, &outcome)) {
        outcome_explain(&why, &entry->subject, &bench->job, &outcome, bench->options);
        entry->differs = !outcome_lacks_machine(&outcome);
        entry->failure = arena_copy(bench->report->arena, text_str(&why));
    }
    text_free(&why);
    text_free(&outcome.text);
    if (!first || entry->failure)
        return;
    const double wanted = round_time / (times_median(&entry->times) + 1);
    entry->repetitions = wanted > MOST_REPETITIONS ? MOST_REPETITIONS : (int)wanted;
    if (entry->repetitions > 0)
        entry->times.n = 0;
}

/* The results that all are compared with. */
static polynest_status record(struct bench *bench)
{
    struct entry *first = &bench->entry.at[0];
    struct outcome outcome;
    struct text why = {0};
    bool ok;

    if (first->failure) {
        struct diag *diag = diag_error(bench->report->diags, NULL, PLACE_NONE,
                                       "the description in its own order cannot be built: %s", first->failure);
        if (first->hint)
            diag_hint(bench->report->diags, diag, "%s", first->hint);
        return POLYNEST_ENVIRONMENT;
    }
    subject_run(&bench->scratch, &first->subject, &bench->job, "record", "results", 0, 0, bench->options, &outcome);
    ok = outcome.ending == ENDED_WITH_STATUS && outcome.value == 0;
    if (!ok) {
        outcome_explain(&why, &first->subject, &bench->job, &outcome, bench->options);
        run_error(bench->report, "the description in its own order cannot be run: %s", text_str(&why));
    }
    text_free(&why);
    text_free(&outcome.text);
    return ok ? POLYNEST_OK : POLYNEST_ENVIRONMENT;
}

static bool has_enough(const struct entry *entry)
{
    return entry->times.n >= ENOUGH && times_median(&entry->times) * entry->times.n > most_time;
}

/* Interleaved: what disturbs the machine for a while disturbs all entries. */
static polynest_status run_rounds(struct bench *bench)
{
    for (int64_t round = 0; round <= bench->options->runs; round++)
        for (int k = 0; k < bench->entry.n; k++) {
            struct entry *entry = &bench->entry.at[k];

            if (run_stopped(bench->options)) {
                run_error(bench->report, "it was stopped");
                return POLYNEST_ENVIRONMENT;
            }
            if (!entry->failure && !has_enough(entry))
                run_entry(bench, entry, round == 0);
        }
    return POLYNEST_OK;
}

/* Bytes of what each array has to move, and the type that sums are made in. */
static void count_bytes(struct bench *bench)
{
    const struct json *arguments = json_member(bench->entry.at[0].subject.signature, "arguments");

    bench->bytes = 0;
    for (int k = 0; k < arguments->n; k++) {
        const struct json *argument = arguments->item[k];
        const char *type = json_text(argument, "type"), *role = json_text(argument, "role");
        int64_t elements;

        if (strcmp(json_text(argument, "kind"), "array") != 0)
            continue;
        if (!params_evaluate(&bench->workload.params, json_text(bench->workload.touched, json_text(argument, "name")),
                             NULL, 0, &elements)) {
            bench->bytes = -1;
            return;
        }
        const double size = strcmp(type, "bool") == 0 ? 1 : (double)atoi(type + strcspn(type, "0123456789")) / 8;
        bench->bytes += (double)elements * size * (strcmp(role, "inout") == 0 ? 2 : 1);
        if (strcmp(type, "f64") == 0 || (strcmp(type, "f32") == 0 && !bench->real))
            bench->real = type[1] == '6' ? "double" : "float";
    }
}

/* Is it known how many operations there are, and are there any? */
static bool is_counted(const struct bench *bench)
{
    return bench->workload.operations > 0 && !bench->workload.at_most;
}

/* Operations a second that memory and arithmetic of the machine allow; 0: not known. */
static double roof(const struct bench *bench)
{
    if (!bench->has_machine || bench->bytes <= 0 || !is_counted(bench))
        return 0;
    const double fed = bench->machine.bandwidth * bench->workload.operations / bench->bytes;
    return fed < bench->machine.peak ? fed : bench->machine.peak;
}

/* Of calls, in percent of the median. */
static double spread(const struct entry *entry)
{
    return 100 * (times_quantile(&entry->times, 0.75) - times_quantile(&entry->times, 0.25)) /
           times_median(&entry->times);
}

static double ratio(const struct bench *bench, const struct entry *entry)
{
    return times_median(&bench->entry.at[0].times) / times_median(&entry->times);
}

/* Thousand millions a second. */
static double rate(double n, const struct entry *entry)
{
    return n / times_median(&entry->times);
}

static int widest(const struct bench *bench)
{
    int width = 0;

    for (int k = 0; k < bench->entry.n; k++)
        if ((int)strlen(bench->entry.at[k].label) > width)
            width = (int)strlen(bench->entry.at[k].label);
    return width;
}

static void add_row(const struct bench *bench, const struct entry *entry, int width)
{
    struct text *out = &bench->report->output;

    text_addf(out, "%-*s", width, entry->label);
    if (entry->failure || times_median(&entry->times) <= 0) {
        text_addf(out, "  %s\n", entry->failure ? entry->failure : "too fast to be measured");
        return;
    }
    text_addf(out, "  %10.4g  %4.0f %%  %7.2f", times_median(&entry->times) * 1e-6, spread(entry), ratio(bench, entry));
    if (is_counted(bench))
        text_addf(out, "  %7.2f", rate(bench->workload.operations, entry));
    if (bench->bytes > 0)
        text_addf(out, "  %7.2f", rate(bench->bytes, entry));
    if (roof(bench) > 0)
        text_addf(out, "  %5.1f %%", 100 * rate(bench->workload.operations, entry) * 1e9 / roof(bench));
    text_char(out, '\n');
}

static void add_table(const struct bench *bench)
{
    struct text *out = &bench->report->output;
    const int width = widest(bench);

    text_addf(out, "%s at ", bench->entry.at[0].subject.function);
    params_print(out, &bench->workload.params);
    if (bench->workload.operations >= 0)
        text_addf(out, "; %s%.6g operations", bench->workload.at_most ? "at most " : "", bench->workload.operations);
    if (bench->bytes >= 0)
        text_addf(out, "; %.6g bytes to move", bench->bytes);
    text_addf(out, "\n\n%-*s  %10s  %6s  %7s", width, "", "median, ms", "spread", "times");
    text_addf(out, "%s%s%s\n", is_counted(bench) ? "    Gop/s" : "", bench->bytes > 0 ? "     GB/s" : "",
              roof(bench) > 0 ? "  of roof" : "");
    for (int k = 0; k < bench->entry.n; k++)
        add_row(bench, &bench->entry.at[k], width);
    if (roof(bench) > 0)
        text_addf(out, "\nroof: %.4g Gop/s, the smaller of %.4g (%s in registers) and what %.4g GB/s of memory feed\n",
                  roof(bench) * 1e-9, bench->machine.peak * 1e-9, bench->real, bench->machine.bandwidth * 1e-9);
}

static void add_json_row(const struct bench *bench, const struct entry *entry)
{
    struct text *out = &bench->report->output;

    text_add(out, "{\"what\": ");
    json_string(out, entry->label);
    if (entry->failure) {
        text_add(out, ", \"failure\": ");
        json_string(out, entry->failure);
    } else {
        text_addf(out, ", \"median_ns\": %.0f, \"lower_quartile_ns\": %.0f, \"upper_quartile_ns\": %.0f, \"calls\": %d",
                  times_median(&entry->times), times_quantile(&entry->times, 0.25), times_quantile(&entry->times, 0.75),
                  entry->times.n);
        if (times_median(&entry->times) > 0)
            text_addf(out, ", \"times\": %.4g", ratio(bench, entry));
    }
    text_char(out, '}');
}

static void add_number(struct text *out, const char *key, double value, bool known)
{
    text_addf(out, known ? ", \"%s\": %.6g" : ", \"%s\": null", key, value);
}

static void add_json(const struct bench *bench)
{
    struct text *out = &bench->report->output;

    text_add(out, "{\"name\": ");
    json_string(out, bench->entry.at[0].subject.function);
    text_add(out, ", \"sizes\": {");
    for (int k = 0; k < bench->workload.params.n; k++)
        text_addf(out, "%s\"%s\": %" PRId64, k ? ", " : "", bench->workload.params.param[k].name,
                  bench->workload.params.param[k].value);
    text_char(out, '}');
    add_number(out, "operations", bench->workload.operations,
               bench->workload.operations >= 0 && !bench->workload.at_most);
    add_number(out, "bytes", bench->bytes, bench->bytes >= 0);
    add_number(out, "bandwidth", bench->machine.bandwidth, bench->has_machine);
    add_number(out, "peak", bench->machine.peak, bench->has_machine);
    add_number(out, "roof", roof(bench), roof(bench) > 0);
    text_add(out, ", \"entries\": [");
    for (int k = 0; k < bench->entry.n; k++) {
        text_add(out, k ? ",\n  " : "\n  ");
        add_json_row(bench, &bench->entry.at[k]);
    }
    text_add(out, "]}\n");
}

/* A result that differs is the tool's fault, or the compiler's. */
static polynest_status judge(const struct bench *bench)
{
    polynest_status status = POLYNEST_OK;

    for (int k = 0; k < bench->entry.n; k++)
        if (bench->entry.at[k].differs) {
            run_error(bench->report, "%s: it does not compute what the description does: %s", bench->entry.at[k].label,
                      bench->entry.at[k].failure);
            status = POLYNEST_REFUSED;
        }
    return status;
}

static polynest_status run_all(struct bench *bench)
{
    struct subject first;
    polynest_status status;

    status = subject_emit(bench->report, unscheduled(bench), "entry0", bench->options, &first);
    if (status != POLYNEST_OK)
        return status;
    add_originals(bench);
    add_steps(bench);
    status = workload_read(bench->report, bench->p, 0, &bench->entry.at[0].subject, &bench->workload);
    if (status != POLYNEST_OK)
        return status;
    bench->job = (struct job){.name = "job",
                              .params = bench->workload.params,
                              .rounded = bench->workload.rounded,
                              .approximate = bench->workload.approximate,
                              .seed = bench->options->seed};
    if (!job_write(bench->report, &bench->scratch, &bench->entry.at[0].subject, &bench->job))
        return POLYNEST_ENVIRONMENT;
    count_bytes(bench);
    build(bench);
    status = record(bench);
    if (status == POLYNEST_OK)
        status = run_rounds(bench);
    if (status != POLYNEST_OK)
        return status;
    bench->has_machine =
        bench->real && machine_measure(bench->report, &bench->scratch, bench->real, bench->options, &bench->machine);
    bench->options->json ? add_json(bench) : add_table(bench);
    return judge(bench);
}

polynest_status run_bench(struct run_report *report, const polynest *p, const struct run_options *options)
{
    struct bench bench = {.report = report, .p = p, .options = options};
    struct text why = {0};
    polynest_status status = POLYNEST_ENVIRONMENT;

    if (scratch_open(&bench.scratch, &why)) {
        status = run_all(&bench);
        scratch_close(&bench.scratch);
    } else {
        run_error(report, "%s", text_str(&why));
    }
    text_free(&why);
    return status;
}
