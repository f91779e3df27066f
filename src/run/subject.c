#include "run/subject.h"

#include "base/template.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { COMPILE_SECONDS = 300 };

void run_error(struct run_report *report, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    diag_error(report->diags, NULL, PLACE_NONE, "%s", arena_vprintf(report->arena, format, args));
    va_end(args);
}

/* The messages of a description that has no result. */
static void keep_messages(struct run_report *report, const polynest *p)
{
    text_truncate(&report->refused, 0);
    text_truncate(&report->refused_json, 0);
    text_add(&report->refused, polynest_diagnostics(p));
    text_add(&report->refused_json, polynest_diagnostics_json(p));
}

polynest_status subject_emit(struct run_report *report, polynest *p, const char *name,
                             const struct run_options *options, struct subject *subject)
{
    struct arena *arena = report->arena;
    polynest_status status;

    polynest_set_header_name(p, "function.h");
    status = polynest_emit(p);
    *subject = (struct subject){.name = name, .compiler = run_compiler(options)};
    if (status == POLYNEST_OK) {
        subject->source = arena_copy(arena, polynest_source(p));
        subject->header = arena_copy(arena, polynest_header(p));
        subject->signature = json_parse(arena, polynest_signature(p));
        subject->function = json_text(subject->signature, "name");
        subject->flags = options->flags ? options->flags : "-O3";
    } else {
        keep_messages(report, p);
    }
    polynest_free(p);
    if (status == POLYNEST_OK && strcmp(json_text(subject->signature, "language"), "c") != 0) {
        run_error(report, "only C can be built and run here, not the language \"%s\"",
                  json_text(subject->signature, "language"));
        status = POLYNEST_ENVIRONMENT;
    }
    return status;
}

/* The flags in the line "needs" of the emitted comment that start with `-` and one of these letters. */
static void add_needed_flags(struct text *out, const char *source, const char *letters)
{
    const char *at = strstr(source, "\n * needs "), *end = at ? strstr(at, "*/") : NULL;

    for (at = at ? at + 9 : NULL; at && at < end; at += strcspn(at, " \n;")) {
        at += strspn(at, " \n;");
        if (strncmp(at, "* polynest", 10) == 0 || (*at == '*' && strncmp(at, "*  ", 3) != 0))
            return;
        if (*at == '-' && at[1] && strchr(letters, at[1]))
            text_addf(out, " %.*s", (int)strcspn(at, " \n;"), at);
    }
}

static bool is_real(const struct json *argument)
{
    return strchr("fb", json_text(argument, "type")[0]) && strcmp(json_text(argument, "type"), "bool") != 0;
}

static bool is_text(const struct json *object, const char *key, const char *text)
{
    return strcmp(json_text(object, key), text) == 0;
}

/* One element that is only read is passed as a value. */
static bool is_array(const struct json *argument)
{
    return is_text(argument, "kind", "array") &&
           !(is_text(argument, "role", "in") && json_member(argument, "shape")->n == 0);
}

/* "return f(integer(0), memory(1));" */
static char *call_of(struct arena *arena, const struct subject *subject)
{
    const struct json *arguments = json_member(subject->signature, "arguments");
    const bool returns = is_text(subject->signature, "returns", "int");
    struct text text = {0};
    char *call;

    text_addf(&text, "%s%s(", returns ? "return " : "", subject->function);
    for (int k = 0; k < arguments->n; k++)
        text_addf(&text, "%s%s(%d)", k ? ", " : "",
                  is_array(arguments->item[k])  ? "memory"
                  : is_real(arguments->item[k]) ? "real"
                                                : "integer",
                  k);
    text_add(&text, returns ? ");" : "); return 0;");
    call = arena_copy(arena, text_str(&text));
    text_free(&text);
    return call;
}

static bool write_files(struct run_report *report, const struct scratch *scratch, const struct subject *subject)
{
    const struct template_value values[] = {{"HEADER", "function.h"},
                                            {"CALL", call_of(report->arena, subject)},
                                            {NULL, NULL}};
    const struct template_value *const lists[] = {values};
    const struct {
        const char *name, *content;
    } file[] = {{"function.c", subject->source},
                {"function.h", subject->header},
                {"driver.c", template_filled(report->arena, "run/driver", lists, 1)}};
    struct text why = {0};
    bool ok = scratch_folder(scratch, subject->name, &why);

    for (int k = 0; ok && k < 3; k++)
        ok = scratch_write(scratch, arena_printf(report->arena, "%s/%s", subject->name, file[k].name), file[k].content,
                           &why);
    if (!ok)
        run_error(report, "%s", text_str(&why));
    text_free(&why);
    return ok;
}

static const char *folder_of(struct run_report *report, const struct scratch *scratch, const struct subject *subject)
{
    return arena_printf(report->arena, "%s/%s", scratch->folder, subject->name);
}

/* A driver that makes the same call is compiled once. */
static void add_build(struct text *out, struct arena *arena, const struct subject *subject)
{
    uint64_t number = 0;
    char *driver;

    for (const char *at = call_of(arena, subject); *at; at++)
        number = number * 1000003 + (unsigned char)*at;
    driver = arena_printf(arena, "../driver-%" PRIx64 ".o", number);
    text_addf(out, "{ [ -e %s ] || { %s -O2 -c driver.c -o driver.o && mv driver.o %s; }; } && ", driver,
              subject->compiler, driver);
    text_addf(out, "%s %s", subject->compiler, subject->flags);
    if (strstr(subject->source, "#pragma omp") || strstr(subject->source, "omp_get"))
        text_add(out, " -fopenmp");
    add_needed_flags(out, subject->source, "m");
    text_addf(out, " function.c %s", driver);
    add_needed_flags(out, subject->source, "Ll");
    text_add(out, " -lm -o program");
}

bool subject_start_build(struct run_report *report, const struct scratch *scratch, const struct subject *subject,
                         struct process *process)
{
    struct text command = {0};
    bool ok = write_files(report, scratch, subject);

    add_build(&command, report->arena, subject);
    if (ok && !process_start(process, folder_of(report, scratch, subject), text_str(&command), COMPILE_SECONDS)) {
        run_error(report, "no process can be started");
        ok = false;
    }
    text_free(&command);
    return ok;
}

/* Its first error, or all of it. */
static char *first_error(struct arena *arena, const char *text)
{
    const char *error = strstr(text, "error:"), *start = error;

    if (!error)
        return arena_copy_n(arena, text, strcspn(text, "\n"));
    while (start > text && start[-1] != '\n')
        start--;
    return arena_copy_n(arena, start, (size_t)(error - start) + strcspn(error, "\n"));
}

/* The function that a linker has not found; NULL: it was not that. */
static char *missing_function(struct arena *arena, const char *text)
{
    static const char *const words[] = {"undefined reference to `", "undefined reference to '", "undefined symbol: "};

    for (size_t k = 0; k < sizeof(words) / sizeof(words[0]); k++) {
        const char *at = strstr(text, words[k]);

        if (at)
            return arena_copy_n(arena, at + strlen(words[k]), strcspn(at + strlen(words[k]), "'` \n"));
    }
    return NULL;
}

static void tell_refused(struct run_report *report, const struct subject *subject, const char *text)
{
    const char *missing = missing_function(report->arena, text);

    if (!missing) {
        run_error(report, "the compiler \"%s\" refuses the %s code: %s", subject->compiler, subject->name,
                  first_error(report->arena, text));
        return;
    }
    diag_hint(report->diags,
              diag_error(report->diags, NULL, PLACE_NONE, "nothing defines `%s`, which the emitted code calls",
                         missing),
              "\"declare\" of an instruction may define it; a library is named by its \"flags\": \"-lname\", and a "
              "file by --flags=\"-O3 /folder/%s.c\"",
              missing);
}

polynest_status subject_finish_build(struct run_report *report, const struct subject *subject, struct process *process,
                                     const struct run_options *options)
{
    struct outcome outcome;
    struct text how = {0};
    bool ok;

    process_finish(process, options, COMPILE_SECONDS, &outcome);
    ok = outcome.ending == ENDED_WITH_STATUS && outcome.value == 0;
    if (!ok && outcome.ending == ENDED_WITH_STATUS && outcome.value == 127) {
        run_error(report, "the compiler \"%s\" does not run: set CC", subject->compiler);
    } else if (!ok && outcome.ending == ENDED_WITH_STATUS) {
        tell_refused(report, subject, text_str(&outcome.text));
    } else if (!ok) {
        outcome_print(&how, &outcome, COMPILE_SECONDS);
        run_error(report, "compiling the %s code: %s", subject->name, text_str(&how));
    }
    text_free(&how);
    text_free(&outcome.text);
    return ok ? POLYNEST_OK : POLYNEST_ENVIRONMENT;
}

/* Ends it, whatever it is doing. */
static void give_up(struct process *process)
{
    static const volatile sig_atomic_t stop = 1;
    struct outcome outcome;

    process_finish(process, &(struct run_options){.stop = &stop}, 0, &outcome);
    text_free(&outcome.text);
}

polynest_status subjects_build(struct run_report *report, const struct scratch *scratch, const struct subject *subject,
                               int n, const struct run_options *options)
{
    struct process *process = ARENA_ARRAY(report->arena, n, struct process);
    polynest_status status = POLYNEST_OK;
    int started = 0;

    while (started < n && subject_start_build(report, scratch, &subject[started], &process[started]))
        started++;
    for (int k = 0; k < started; k++)
        if (status == POLYNEST_OK)
            status = subject_finish_build(report, &subject[k], &process[k], options);
        else
            give_up(&process[k]);
    return started == n ? status : POLYNEST_ENVIRONMENT;
}

void subject_run(const struct scratch *scratch, const struct subject *subject, const struct job *job, const char *mode,
                 const char *file, double terms, int repetitions, const struct run_options *options,
                 struct outcome *outcome)
{
    struct text command = {0};

    if (options->threads > 0)
        text_addf(&command, "OMP_NUM_THREADS=%d ", (int)options->threads);
    text_addf(&command, "exec %s/program %s %s %s %.17g %d", subject->name, job->name, mode, file, terms, repetitions);
    process_run(scratch->folder, text_str(&command), options, options->timeout, outcome);
    text_free(&command);
}

polynest_status workload_read(struct run_report *report, const polynest *p, unsigned number,
                              const struct subject *subject, struct workload *workload)
{
    polynest *copy = polynest_copy(p);
    const polynest_status status = polynest_workload(copy, number);
    const struct json *json = NULL, *arguments = json_member(subject->signature, "arguments");
    int64_t value = 0, least = INT64_MAX, most = 0;

    *workload = (struct workload){.operations = -1};
    if (status == POLYNEST_OK)
        json = json_parse(report->arena, polynest_output(copy));
    else
        keep_messages(report, copy);
    polynest_free(copy);
    if (!json)
        return status;
    workload->params = params_from(report->arena, json_member(json, "sizes"));
    workload->touched = json_member(json, "touched");
    workload->rounded = json_member(json, "rounded");
    if (params_evaluate(&workload->params, json_text(json, "operations"), NULL, 0, &value))
        workload->operations = (double)value;
    workload->at_most = is_text(json, "at_most", "true");
    for (int k = 0; k < arguments->n; k++) {
        const char *name = json_text(arguments->item[k], "name");
        int64_t elements;

        if (!is_text(arguments->item[k], "kind", "array") ||
            !params_evaluate(&workload->params, json_text(workload->touched, name), NULL, 0, &elements))
            continue;
        most = elements > most ? elements : most;
        if (!is_text(arguments->item[k], "role", "in") && elements < least)
            least = elements;
    }
    for (int k = 0; k < json_member(json, "permit")->n; k++)
        workload->approximate |= strcmp(json_member(json, "permit")->item[k]->text, "approximate") == 0;
    if (json_member(json, "permit")->n > 0)
        workload->terms = (workload->approximate ? 65536.0 : 1.0) *
                          (16 + (workload->operations >= 0 && least < INT64_MAX
                                     ? workload->operations / (double)(least > 0 ? least : 1)
                                     : (double)most));
    return POLYNEST_OK;
}
