#include "cli/options.h"

#include "polynest/polynest.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { KIND_FLAG, KIND_TEXT, KIND_NUMBER, KIND_FORMAT, KIND_SETTING, KIND_SIZE, KIND_RUNNING };

struct option {
    const char *name;
    const char *value; /* what to call it, NULL for a flag */
    enum kind kind;
    unsigned verbs;
    size_t member; /* of struct options */
    const char *doc;
};

enum {
    VERB_RUN = VERB_VERIFY | VERB_BENCH | VERB_TUNE,
    VERB_STEPS = VERB_EMIT | VERB_CHECK | VERB_SHOW | VERB_EXPLAIN | VERB_DRAW | VERB_VERIFY,
    VERB_DESCRIPTION = VERB_STEPS | VERB_AUTO | VERB_BENCH | VERB_TUNE,
};

#define MEMBER(name) offsetof(struct options, name)

/* In the order of the help text. */
static const struct option table[] = {
    {"-o", "FILE", KIND_TEXT, VERB_NEW, MEMBER(output), "write it to FILE, which must not be there yet"},
    {"-o", "FILE", KIND_TEXT, VERB_AUTO | VERB_TUNE, MEMBER(output), "write the steps to FILE"},
    {"-o", "FILE", KIND_TEXT, VERB_DRAW, MEMBER(output),
     "write the picture to FILE; FILE.html: a page with all steps, and the emitted code"},
    {"-o", "FILE", KIND_TEXT, VERB_EMIT, MEMBER(output),
     "write the C to FILE, and a header beside it; - is standard output"},
    {"--header", "FILE", KIND_TEXT, VERB_EMIT, MEMBER(header), "write the header to FILE"},
    {"--metadata", "FILE", KIND_TEXT, VERB_EMIT, MEMBER(metadata),
     "write arguments, conditions on them and flags as JSON to FILE"},
    {"-MD", NULL, KIND_FLAG, VERB_EMIT, MEMBER(make_depfile), "write a dependency file for make or ninja"},
    {"-MP", NULL, KIND_FLAG, VERB_EMIT, MEMBER(make_phony), "in it an empty rule for each file that was read"},
    {"-MF", "FILE", KIND_TEXT, VERB_EMIT, MEMBER(depfile), "its name, instead of the output's with .d"},
    {"--check-args", NULL, KIND_FLAG, VERB_EMIT, MEMBER(check_args), "the function tests its preconditions"},
    {"--self-check", NULL, KIND_FLAG, VERB_EMIT, MEMBER(self_check),
     "it also runs the description as written, and compares"},
    {"--name", "NAME", KIND_TEXT, VERB_EMIT, MEMBER(name), "the function's name instead of the description's"},
    {"--unscheduled", NULL, KIND_FLAG, VERB_EMIT, MEMBER(unscheduled), "without schedule and plan: the reference"},
    {"--dump", "STAGE", KIND_TEXT, VERB_EMIT, MEMBER(dump),
     "print a middle form: program, order, tree, c, a pass, or all passes"},
    {"--from-dump", "DUMP", KIND_TEXT, VERB_EMIT, MEMBER(from_dump),
     "go on from the tree in the file DUMP, printed by --dump=PASS"},
    {"--steps", NULL, KIND_FLAG, VERB_SHOW, MEMBER(steps), "after every step, with + in front of what each made"},
    {"--outline", NULL, KIND_FLAG, VERB_SHOW, MEMBER(outline), "the loops without their bounds"},
    {"--diff", NULL, KIND_FLAG, VERB_SHOW, MEMBER(diff), "after every step, with what each took away"},
    {"--tree", NULL, KIND_FLAG, VERB_SHOW, MEMBER(tree), "as a tree with the counts of each loop"},
    {"--map", NULL, KIND_FLAG, VERB_SHOW, MEMBER(map), "as maps from instances to time"},
    {"--size", "NAME=NUMBER", KIND_SIZE, VERB_DRAW | VERB_RUN, MEMBER(size),
     "the value of a parameter, again for others"},
    {"--plane", "LOOP,LOOP", KIND_TEXT, VERB_DRAW, MEMBER(plane), "the loops down and across (the last two)"},
    {"--time", "N", KIND_TEXT, VERB_DRAW, MEMBER(time), "as it is while instance number N runs; for pages a slider"},
    {"--time", "SECONDS", KIND_RUNNING, VERB_TUNE, MEMBER(running), "how long to search (60)"},
    {"--trials", "N", KIND_RUNNING, VERB_TUNE, MEMBER(running),
     "how many candidates to measure, however long it takes"},
    {"--jobs", "N", KIND_RUNNING, VERB_TUNE, MEMBER(running), "compilers that run at the same time (1)"},
    {"--log", "FILE", KIND_RUNNING, VERB_TUNE, MEMBER(running), "keep what is known in FILE, and go on from there"},
    {"--report", "FILE", KIND_RUNNING, VERB_TUNE, MEMBER(running), "write a page about the search to FILE"},
    {"--plan", "DIR", KIND_RUNNING, VERB_TUNE, MEMBER(running), "write candidates as commands, one a line of DIR/jobs"},
    {"--only", "JOB", KIND_RUNNING, VERB_TUNE, MEMBER(running), "measure one of them, JOB.json of a plan"},
    {"--merge", "DIR", KIND_RUNNING, VERB_TUNE, MEMBER(running), "the best of what these commands measured"},
    {"--from", "WORDS", KIND_RUNNING, VERB_TUNE, MEMBER(running), "kinds of candidates: grid,neighbour,affine"},
    {"--seed", "N", KIND_RUNNING, VERB_RUN, MEMBER(running), "draws other data (1)"},
    {"--runs", "N", KIND_RUNNING, VERB_VERIFY, MEMBER(running), "how many sizes and data are tried (6)"},
    {"--runs", "N", KIND_RUNNING, VERB_BENCH, MEMBER(running), "how many rounds are made (6)"},
    {"--timeout", "SECONDS", KIND_RUNNING, VERB_RUN, MEMBER(running), "how long one run may take (60)"},
    {"--threads", "N", KIND_RUNNING, VERB_RUN, MEMBER(running), "how many threads emitted code may use"},
    {"--flags", "WORDS", KIND_RUNNING, VERB_VERIFY, MEMBER(running), "of the compiler $CC, besides those needed (-O3)"},
    {"--flags", "WORDS", KIND_RUNNING, VERB_BENCH | VERB_TUNE, MEMBER(running),
     "of the compilers, besides those needed (-O3 -march=native)"},
    {"--check", NULL, KIND_FLAG, VERB_FORMAT, MEMBER(check), "only list the files that would change; status 1 if any"},
    {"--function", "NAME", KIND_TEXT, VERB_DESCRIPTION, MEMBER(function), "one of the file's functions"},
    {"--variant", "NAME", KIND_TEXT, VERB_DESCRIPTION, MEMBER(variant), "one of the description's variants"},
    {"--schedule", "FILE", KIND_TEXT, VERB_DESCRIPTION, MEMBER(schedule),
     "its schedule, plan and target stand for the description's"},
    {"--auto", NULL, KIND_FLAG, VERB_STEPS, MEMBER(automatic), "with the steps that `polynest auto` proposes"},
    {"--replace", NULL, KIND_FLAG, VERB_STEPS | VERB_AUTO, MEMBER(replace),
     "proposed steps take the place of the description's"},
    {"--set", "NAME=VALUE", KIND_SETTING, VERB_DESCRIPTION, MEMBER(set), "a value of a tunable, again for others"},
    {"--permit", "WORDS", KIND_TEXT, VERB_DESCRIPTION, MEMBER(permit),
     "besides the description: reassociate,contract,approximate"},
    {"--budget", "N", KIND_NUMBER, VERB_DESCRIPTION, MEMBER(budget), "operations a proof may take, 0 for any number"},
    {"--slice", "VALUES", KIND_TEXT, VERB_SHOW, MEMBER(slice),
     "only what runs in it: a value or * for each loop, 1,*,*"},
    {"--json", NULL, KIND_FLAG, VERB_EXPLAIN, MEMBER(json), "the order after the schedule as JSON"},
    {"--json", NULL, KIND_FLAG, VERB_BENCH, MEMBER(json), "the times as JSON"},
    {"--diagnostics", "FORMAT", KIND_FORMAT, VERB_DESCRIPTION | VERB_FORMAT, MEMBER(diagnostics),
     "text (default) or json"},
    {"--quiet", NULL, KIND_FLAG, VERB_DESCRIPTION | VERB_FORMAT, MEMBER(quiet),
     "errors only, no warnings and progress"},
    {"--verbose", NULL, KIND_FLAG, VERB_DESCRIPTION, MEMBER(verbose), "tell each stage when it starts"},
    {"--help", NULL, KIND_FLAG, VERB_ALL, MEMBER(help), "this text"},
};

enum { N_OPTION = (int)(sizeof(table) / sizeof(table[0])) };

void usage_error(const char *what, const char *word, const char *const *candidates, int n)
{
    const char *nearest = polynest_nearest(word, candidates, n);

    fprintf(stderr, "polynest: error: %s \"%s\"", what, word);
    if (nearest)
        fprintf(stderr, "; did you mean \"%s\"?", nearest);
    fputs("\n", stderr);
}

/* The option that word names, with or without "=VALUE" or (of a short one) the value right behind. */
static const struct option *find_option(const char *word, enum verb verb, const char **value)
{
    for (int i = 0; i < N_OPTION; i++) {
        const size_t size = strlen(table[i].name);
        const bool is_long = table[i].name[1] == '-';

        if (!(table[i].verbs & verb) || strncmp(word, table[i].name, size) != 0)
            continue;
        *value = NULL;
        if (word[size] == '\0')
            return &table[i];
        *value = word + size + is_long;
        if (table[i].value && (is_long ? word[size] == '=' : strlen(table[i].name) == 2))
            return &table[i];
    }
    return NULL;
}

static void unknown_option(const char *word, enum verb verb)
{
    const char *known[N_OPTION];
    int n = 0;

    for (int i = 0; i < N_OPTION; i++) {
        if (table[i].verbs & verb)
            known[n++] = table[i].name;
    }
    usage_error("unknown option", word, known, n);
}

static bool store_number(struct options *options, const struct option *option, const char *value)
{
    char *end;

    errno = 0;
    options->budget = strtoul(value, &end, 10);
    options->budget_given = true;
    if (errno == 0 && end != value && *end == '\0' && value[0] >= '0' && value[0] <= '9')
        return true;
    fprintf(stderr, "polynest: error: %s takes a number, not \"%s\"\n", option->name, value);
    return false;
}

static bool store_format(struct options *options, const struct option *option, const char *value)
{
    static const char *const formats[] = {"text", "json"};

    options->diagnostics = value;
    if (strcmp(value, formats[0]) == 0 || strcmp(value, formats[1]) == 0)
        return true;
    fprintf(stderr, "polynest: error: %s is text or json\n", option->name);
    return false;
}

static void append(const char ***list, int *n, const char *word)
{
    const char **grown = realloc(*list, (size_t)(*n + 1) * sizeof(*grown));

    if (!grown)
        abort();
    grown[(*n)++] = word;
    *list = grown;
}

static bool store_setting(struct options *options, const struct option *option, const char *value)
{
    if (!strchr(value, '=') || *value == '=') {
        fprintf(stderr, "polynest: error: %s takes NAME=VALUE, not \"%s\"\n", option->name, value);
        return false;
    }
    append(&options->set, &options->n_set, value);
    return true;
}

/* Values of parameters: read by who gives them to the library. */
static bool store_size(struct options *options, const char *value)
{
    append(&options->size, &options->n_size, value);
    return true;
}

/* "seed=3" */
static bool store_running(struct options *options, const struct option *option, const char *value)
{
    const size_t size = strlen(option->name) + strlen(value);
    char *setting = malloc(size),
         **grown = realloc(options->running, (size_t)(options->n_running + 1) * sizeof(*grown));

    if (!setting || !grown)
        abort();
    snprintf(setting, size, "%s=%s", option->name + 2, value);
    grown[options->n_running++] = setting;
    options->running = grown;
    return true;
}

static bool store(struct options *options, const struct option *option, const char *value)
{
    char *member = (char *)options + option->member;

    switch (option->kind) {
    case KIND_FLAG:
        *(bool *)(void *)member = true;
        return true;
    case KIND_TEXT:
        *(const char **)(void *)member = value;
        return true;
    case KIND_NUMBER:
        return store_number(options, option, value);
    case KIND_FORMAT:
        return store_format(options, option, value);
    case KIND_SETTING:
        return store_setting(options, option, value);
    case KIND_SIZE:
        return store_size(options, value);
    case KIND_RUNNING:
        return store_running(options, option, value);
    }
    return false;
}

/* Is it given again for other names? */
static bool is_named(const struct option *option)
{
    return option->kind == KIND_SETTING || option->kind == KIND_SIZE;
}

/* What is given twice would hide what it said before: only tunables and parameters are set one by one, each of them
 * once. */
static bool given_before(const struct options *options, const struct option *option, const char *value)
{
    const char *const *const name = option->kind == KIND_SIZE ? options->size : options->set;
    const int n_name = option->kind == KIND_SIZE ? options->n_size : options->n_set;
    const size_t size = is_named(option) ? strcspn(value, "=") + 1 : 0;
    bool before = option->kind != KIND_FLAG && !is_named(option) && options->given >> (option - table) & 1;

    for (int k = 0; is_named(option) && k < n_name; k++)
        before = before || strncmp(name[k], value, size) == 0;
    if (before && size)
        fprintf(stderr, "polynest: error: %s %.*s is given twice\n", option->name, (int)size - 1, value);
    else if (before)
        fprintf(stderr, "polynest: error: %s is given twice\n", option->name);
    return before;
}

/* Takes the option at word[*i], and its value if that is the next word. */
static bool parse_option(struct options *options, enum verb verb, int n, char **word, int *i)
{
    const char *value;
    const struct option *option = find_option(word[*i], verb, &value);

    if (!option) {
        unknown_option(word[*i], verb);
        return false;
    }
    if (option->value && !value) {
        if (*i + 1 == n) {
            fprintf(stderr, "polynest: error: %s needs %s\n", option->name, option->value);
            return false;
        }
        value = word[++*i];
    }
    if (value && *value == '\0') {
        fprintf(stderr, "polynest: error: %s needs %s, not nothing\n", option->name, option->value);
        return false;
    }
    if (given_before(options, option, value))
        return false;
    options->given |= UINT64_C(1) << (option - table);
    return store(options, option, value);
}

static bool take_operand(struct options *options, enum verb verb, const char *word)
{
    if (verb == VERB_FORMAT) {
        append(&options->file, &options->n_file, word);
        return true;
    }
    if (verb == VERB_EMIT) {
        append(&options->file, &options->n_file, word);
        options->operand = options->file[0];
        return true;
    }
    if (options->operand && verb == VERB_EXPLAIN && !options->topic) {
        options->topic = word;
        return true;
    }
    if (options->operand) {
        fprintf(stderr, "polynest: error: one file at a time: \"%s\", then \"%s\"\n", options->operand, word);
        return false;
    }
    options->operand = word;
    return true;
}

bool options_parse(struct options *options, enum verb verb, int n, char **word)
{
    bool only_operands = false, ok = true;

    *options = (struct options){.diagnostics = "text"};
    for (int i = 0; ok && i < n; i++) {
        if (!only_operands && strcmp(word[i], "--") == 0)
            only_operands = true;
        else if (only_operands || word[i][0] != '-' || word[i][1] == '\0')
            ok = take_operand(options, verb, word[i]);
        else
            ok = parse_option(options, verb, n, word, &i);
    }
    if (options->output && strcmp(options->output, "-") == 0)
        options->output = NULL;
    return ok;
}

void options_free(struct options *options)
{
    for (int k = 0; k < options->n_running; k++)
        free(options->running[k]);
    free(options->running);
    free(options->file);
    free(options->set);
    free(options->size);
}

void options_help(enum verb verb)
{
    for (int i = 0; i < N_OPTION; i++) {
        const char *between = !table[i].value ? "" : table[i].name[1] == '-' ? "=" : " ";
        char left[40];

        if (!(table[i].verbs & verb))
            continue;
        snprintf(left, sizeof(left), "%s%s%s", table[i].name, between, table[i].value ? table[i].value : "");
        printf("  %-22s %s\n", left, table[i].doc);
    }
}
