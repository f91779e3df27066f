/* polynest-machine: runs the finished tree of a description and compares it with the description's own order.
 *
 * usage: polynest-machine [emit] FILE.json [OPTIONS of polynest emit] --run "M=0,1,15 N=5".. [--whole]
 *            [--close FRACTION] [--orders N] [--assignments N] [--large N] [--seed N]
 *            [--emit OUT.c] [--records OUT --call OUT.c --header NAME.h]
 *
 * No compiler and no printer takes part: what differs here is wrong in the tree; what is right here and wrong in the
 * emitted program is the printer's or the compiler's fault. Each size runs in N orders of threads (default 3; one where
 * there are none), with more than `large` assignments in one of these, in turn; beyond N assignments (default 400000) a
 * run stops without a verdict. Exit status 0, 1 (something differs; the message says what), 2 usage, 3 polynest
 * refuses, 77 the machine has no such device, or stopped.
 *
 * One run can do a case's other work, too: --emit writes the source, and --header's file, as polynest emit does;
 * --records and --call write what polynest-oracle does. A description that is undefined in a run, or has none, is then
 * an error (4).
 */
#include "judge.h"

#include "../oracle/record.h"
#include "../oracle/sizes.h"
#include "cli/numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    const char *file, *variant, *schedule, *run[64], *setting[32], *permit[4];
    const char *name, *emit, *header, *records, *call;
    int n_run, n_setting, n_permit;
    bool unscheduled, whole, automatic, replace;
    uint64_t seed;
};

/* What one description is run with. */
struct session {
    const struct options *options;
    struct judge judge;
    bool good;
};

/* The runs of one list of sizes; with records there must be some. */
static bool run_text(struct session *session, const char *text, struct prng *prng, struct text *message)
{
    const struct program *program = session->judge.finished->described;
    struct combinations list;
    bool good = true;
    int n = 0;

    if (!sizes_read(program, text, &list))
        return false;
    for (int k = 0; k < list.n; k++) {
        if (!run_allowed(program, list.at[k].param))
            continue;
        n++;
        if (!judge_size(&session->judge, list.at[k].param, list.at[k].scalar, prng, message)) {
            good = false;
            text_char(message, '\n');
        }
    }
    if (!n && session->judge.records) {
        text_addf(message, "the assumptions forbid all of run '%s'\n", text);
        session->judge.undefined++;
        good = false;
    }
    sizes_free(&list);
    return good;
}

static void see(const struct finished *finished, void *user)
{
    struct session *session = user;
    const struct options *options = session->options;
    struct prng prng = {.state = options->seed, .whole = options->whole};
    struct text message = {0};

    session->judge.finished = finished;
    if (options->call)
        session->good = record_source(options->call, options->header, finished->described,
                                      options->name ? options->name : finished->described->name);
    for (int k = 0; k < (options->n_run ? options->n_run : 1); k++)
        session->good &= run_text(session, options->n_run ? options->run[k] : "", &prng, &message);
    fputs(text_str(&message), stdout);
    text_free(&message);
}

static char *read_file(const char *path, size_t *size)
{
    FILE *in = fopen(path, "rb");
    char *text = malloc(1 << 24);

    *size = in && text ? fread(text, 1, 1 << 24, in) : 0;
    if (!in)
        perror(path);
    else
        fclose(in);
    return text;
}

static void set_tunable(struct polynest *p, const char *setting)
{
    const char *equals = strchr(setting, '=');
    char name[64];

    snprintf(name, sizeof(name), "%.*s", equals ? (int)(equals - setting) : 0, setting);
    polynest_set_tunable(p, name, equals ? equals + 1 : "");
}

static bool write_file(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");

    if (!out) {
        perror(path);
        return false;
    }
    fputs(text, out);
    return fclose(out) == 0;
}

/* Runs the description to its end, whose tree `see` gets. */
static polynest_status compile(struct polynest *p, const struct options *options)
{
    size_t size;
    char *schedule = NULL;

    polynest_set_variant(p, options->variant);
    polynest_set_unscheduled(p, options->unscheduled);
    if (options->schedule) {
        schedule = read_file(options->schedule, &size);
        polynest_set_schedule(p, options->schedule, schedule, size);
    }
    for (int k = 0; k < options->n_permit; k++)
        polynest_permit(p, options->permit[k]);
    for (int k = 0; k < options->n_setting; k++)
        set_tunable(p, options->setting[k]);
    if (options->automatic)
        polynest_set_auto(p, options->replace);
    polynest_set_function_name(p, options->name);
    polynest_set_header_name(p, options->header);
    const polynest_status status = options->emit ? polynest_emit(p) : polynest_check(p);
    free(schedule);
    return status;
}

static int work(const struct options *options, const struct judge *judge)
{
    size_t size;
    char *text = read_file(options->file, &size);
    struct polynest *p = polynest_new(options->file, text, size);
    struct session session = {.options = options, .judge = *judge, .good = true};
    bool written = true;

    session.judge.records = options->records ? fopen(options->records, "wb") : NULL;
    p->see = see;
    p->see_user = &session;
    const polynest_status status = compile(p, options);
    if (session.judge.records)
        written = fclose(session.judge.records) == 0;
    if (status != POLYNEST_OK || options->emit)
        fputs(polynest_diagnostics(p), stderr);
    if (status == POLYNEST_OK && options->emit)
        written &= write_file(options->emit, polynest_source(p)) && write_file(options->header, polynest_header(p));
    polynest_free(p);
    free(text);
    if (status != POLYNEST_OK || !written)
        return 3;
    printf("%d runs%s\n", session.judge.runs, session.good ? "" : ", wrong");
    if (options->records && session.judge.undefined)
        return 4;
    return !session.good ? 1 : session.judge.lacks ? 77 : 0;
}

/* Words that say nothing about the tree. */
static bool is_ignored(const char *word)
{
    return strcmp(word, "-o") == 0 || strcmp(word, "--depfile") == 0 || strcmp(word, "--budget") == 0;
}

static bool read_option(struct options *options, struct judge *judge, const char *word, const char *value)
{
    const struct {
        const char *word;
        const char **value;
    } text[] = {{"--variant", &options->variant}, {"--schedule", &options->schedule}, {"--name", &options->name},
                {"--emit", &options->emit},       {"--header", &options->header},     {"--records", &options->records},
                {"--call", &options->call}};

    for (size_t k = 0; k < sizeof(text) / sizeof(*text); k++)
        if (strcmp(word, text[k].word) == 0) {
            *text[k].value = value;
            return true;
        }
    if (strcmp(word, "--run") == 0 && options->n_run < 64)
        options->run[options->n_run++] = value;
    else if (strcmp(word, "--set") == 0 && options->n_setting < 32)
        options->setting[options->n_setting++] = value;
    else if (strcmp(word, "--close") == 0)
        judge->close = strtod(value, NULL);
    else if (strcmp(word, "--orders") == 0)
        judge->orders = atoi(value);
    else if (strcmp(word, "--assignments") == 0)
        judge->assignments = strtoll(value, NULL, 10);
    else if (strcmp(word, "--large") == 0)
        judge->large = strtoll(value, NULL, 10);
    else if (strcmp(word, "--seed") == 0)
        options->seed = strtoull(value, NULL, 10);
    else
        return is_ignored(word);
    return true;
}

/* A word that stands alone. */
static bool read_word(struct options *options, const char *word)
{
    if (strcmp(word, "--unscheduled") == 0)
        options->unscheduled = true;
    else if (strcmp(word, "--whole") == 0)
        options->whole = true;
    else if (strcmp(word, "--auto") == 0)
        options->automatic = true;
    else if (strcmp(word, "--replace") == 0)
        options->replace = true;
    else if (strncmp(word, "--permit=", 9) == 0 && options->n_permit < 4)
        options->permit[options->n_permit++] = word + 9;
    else if (strcmp(word, "--check-args") != 0 && strcmp(word, "--self-check") != 0 && strcmp(word, "emit") != 0 &&
             word[0] == '-')
        return false;
    else if (word[0] != '-' && strcmp(word, "emit") != 0)
        options->file = word;
    return true;
}

int main(int argc, char **argv)
{
    struct judge judge = {.close = -1, .orders = 3, .assignments = 400000};
    struct options options = {.seed = 1};
    bool good = true;

    numbers_from_lists();
    numbers_by_words();
    for (int k = 1; k < argc && good; k++)
        good = read_word(&options, argv[k]) ||
               (k + 1 < argc && read_option(&options, &judge, argv[k], argv[k + 1]) && ++k);
    if (!good || !options.file || ((options.emit || options.call) && !options.header)) {
        fprintf(stderr,
                "usage: polynest-machine [emit] FILE.json [OPTIONS of polynest emit] --run SIZES..\n"
                "           [--whole] [--close FRACTION] [--orders N] [--assignments N] [--large N] [--seed N]\n"
                "           [--emit OUT.c] [--records OUT --call OUT.c --header NAME.h]\n");
        return 2;
    }
    return work(&options, &judge);
}
