/* polynest-machine: runs the finished tree of a description and compares it with the description's own order.
 *
 * usage: polynest-machine [emit] FILE.json [OPTIONS of polynest emit] --run "M=0,1,15 N=5".. [--whole]
 *            [--close FRACTION] [--orders N] [--assignments N] [--large N] [--seed N]
 *
 * No compiler and no printer takes part: what differs here is wrong in the tree; what is right here and wrong in the
 * emitted program is the printer's or the compiler's fault. Each size runs in N orders of threads (default 3; one where
 * there are none), with more than `large` assignments in one of these, in turn; beyond N assignments (default 400000) a
 * run stops without a verdict. Exit status 0, 1 (something differs; the message says what), 2 usage, 3 polynest
 * refuses, 77 the machine has no such device, or stopped.
 */
#include "judge.h"

#include "../oracle/sizes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    const char *file, *variant, *schedule, *run[64], *setting[32], *permit[4];
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

static void see(const struct finished *finished, void *user)
{
    struct session *session = user;
    const struct options *options = session->options;
    struct prng prng = {.state = options->seed, .whole = options->whole};
    struct combinations list;
    struct text message = {0};

    session->judge.finished = finished;
    for (int k = 0; k < (options->n_run ? options->n_run : 1); k++) {
        if (!sizes_read(finished->described, options->n_run ? options->run[k] : "", &list)) {
            session->good = false;
            continue;
        }
        for (int n = 0; n < list.n; n++)
            if (run_allowed(finished->described, list.at[n].param) &&
                !judge_size(&session->judge, list.at[n].param, list.at[n].scalar, &prng, &message)) {
                session->good = false;
                text_char(&message, '\n');
            }
        sizes_free(&list);
    }
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

static int work(const struct options *options, const struct judge *judge)
{
    size_t size;
    char *text = read_file(options->file, &size), *schedule = NULL;
    struct polynest *p = polynest_new(options->file, text, size);
    struct session session = {.options = options, .judge = *judge, .good = true};

    p->see = see;
    p->see_user = &session;
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
    const polynest_status status = polynest_check(p);
    if (status != POLYNEST_OK)
        fputs(polynest_diagnostics(p), stderr);
    polynest_free(p);
    free(schedule);
    free(text);
    if (status != POLYNEST_OK)
        return 3;
    printf("%d runs%s\n", session.judge.runs, session.good ? "" : ", wrong");
    return !session.good ? 1 : session.judge.lacks ? 77 : 0;
}

/* Words that say nothing about the tree. */
static bool is_ignored(const char *word)
{
    return strcmp(word, "-o") == 0 || strcmp(word, "--header") == 0 || strcmp(word, "--name") == 0 ||
           strcmp(word, "--depfile") == 0 || strcmp(word, "--budget") == 0;
}

static bool read_option(struct options *options, struct judge *judge, const char *word, const char *value)
{
    if (strcmp(word, "--run") == 0 && options->n_run < 64)
        options->run[options->n_run++] = value;
    else if (strcmp(word, "--set") == 0 && options->n_setting < 32)
        options->setting[options->n_setting++] = value;
    else if (strcmp(word, "--variant") == 0)
        options->variant = value;
    else if (strcmp(word, "--schedule") == 0)
        options->schedule = value;
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
    else if (strcmp(word, "--check-args") != 0 && strcmp(word, "emit") != 0 && word[0] == '-')
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

    for (int k = 1; k < argc && good; k++)
        good = read_word(&options, argv[k]) ||
               (k + 1 < argc && read_option(&options, &judge, argv[k], argv[k + 1]) && ++k);
    if (!good || !options.file) {
        fprintf(stderr,
                "usage: polynest-machine [emit] FILE.json [OPTIONS of polynest emit] --run SIZES..\n"
                "           [--whole] [--close FRACTION] [--orders N] [--assignments N] [--large N] [--seed N]\n");
        return 2;
    }
    return work(&options, &judge);
}
