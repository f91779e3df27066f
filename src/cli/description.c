#include "cli/command.h"
#include "cli/files.h"
#include "cli/messages.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Hands the words of --permit on; false when one is none, which has been told. */
static bool permit(polynest *p, const char *words)
{
    for (const char *at = words; at; at = strchr(at, ',')) {
        char word[16];

        at += *at == ',';
        snprintf(word, sizeof(word), "%.*s", (int)strcspn(at, ","), at);
        if (polynest_permit(p, word))
            continue;
        fprintf(stderr, "polynest: error: unknown permission \"%s\": there are reassociate, contract and approximate\n",
                word);
        return false;
    }
    return true;
}

static void set(polynest *p, const char *setting)
{
    char *name = strdup(setting);
    const size_t length = strcspn(setting, "=");

    if (!name)
        abort();
    name[length] = '\0';
    polynest_set_tunable(p, name, setting + length + 1);
    free(name);
}

/* "N=8": the value of a parameter. */
static bool set_size(polynest *p, const char *setting)
{
    const char *equals = strchr(setting, '=');
    char name[64], *end;
    long value;

    errno = 0;
    value = equals ? strtol(equals + 1, &end, 10) : 0;
    if (!equals || equals == setting || equals - setting >= (long)sizeof(name) || end == equals + 1 || *end || errno ||
        value < -1000000000 || value > 1000000000) {
        fprintf(stderr, "polynest: error: --size takes NAME=NUMBER, not \"%s\"\n", setting);
        return false;
    }
    snprintf(name, sizeof(name), "%.*s", (int)(equals - setting), setting);
    polynest_set_size(p, name, value);
    return true;
}

/* "seed=3": how emitted code is run. */
static bool set_running(polynest *p, const char *setting)
{
    const char *value = strchr(setting, '=') + 1;
    char key[32];

    snprintf(key, sizeof(key), "%.*s", (int)(value - 1 - setting), setting);
    if (polynest_set_running(p, key, value))
        return true;
    fprintf(stderr, "polynest: error: --%s cannot be \"%s\"\n", key, value);
    return false;
}

static bool set_values(polynest *p, const struct options *options)
{
    bool ok = true;

    for (int k = 0; ok && k < options->n_size; k++)
        ok = set_size(p, options->size[k]);
    for (int k = 0; ok && k < options->n_running; k++)
        ok = set_running(p, options->running[k]);
    return ok;
}

/* What the command line chooses of the description. */
static polynest_status choose(polynest *p, const struct options *options)
{
    char *text;
    size_t size;

    if (options->budget_given)
        polynest_set_budget(p, options->budget);
    polynest_set_variant(p, options->variant);
    for (int k = 0; k < options->n_set; k++)
        set(p, options->set[k]);
    if (!permit(p, options->permit) || !set_values(p, options))
        return POLYNEST_USAGE;
    if (!options->schedule)
        return POLYNEST_OK;
    text = file_read(options->schedule, &size);
    if (!text)
        return POLYNEST_ENVIRONMENT;
    polynest_set_schedule(p, options->schedule, text, size);
    free(text);
    return POLYNEST_OK;
}

/* Chooses the function; false where there is no such one, or several and one is wanted, which has been told. */
static bool choose_function(polynest *p, const struct options *options, bool one)
{
    const int n = polynest_functions(p);

    if (options->function && polynest_choose_function(p, options->function))
        return true;
    if (options->function)
        fprintf(stderr, "polynest: error: %s has no function \"%s\" in a list of functions\n", options->operand,
                options->function);
    else if (one && n > 1)
        fprintf(stderr, "polynest: error: %s has %d functions: --function=NAME chooses one\n", options->operand, n);
    else
        return n == 0 || !one || polynest_set_function(p, 1);
    return false;
}

polynest *description_open(const struct options *options, bool one, polynest_status *status)
{
    polynest *p;
    char *text;
    size_t size;

    *status = POLYNEST_USAGE;
    if (!options->operand) {
        fputs("polynest: error: which file? (\"-\" is standard input)\n", stderr);
        return NULL;
    }
    *status = POLYNEST_ENVIRONMENT;
    text = file_read(options->operand, &size);
    if (!text)
        return NULL;
    p = polynest_new(strcmp(options->operand, "-") == 0 ? "<stdin>" : options->operand, text, size);
    free(text);
    messages_follow(p, options);
    *status = choose_function(p, options, one) ? choose(p, options) : POLYNEST_USAGE;
    if (options->automatic)
        polynest_set_auto(p, options->replace);
    if (*status == POLYNEST_OK)
        return p;
    polynest_free(p);
    return NULL;
}

polynest_status description_for_each(const struct options *options,
                                     polynest_status (*run)(polynest *p, const struct options *options))
{
    polynest_status status, one;
    polynest *p = description_open(options, false, &status);

    if (!p)
        return status;
    const int n = options->function ? 0 : polynest_functions(p);
    status = n > 0 ? POLYNEST_OK : run(p, options);
    for (int number = 1; number <= n; number++) {
        polynest_set_function(p, number);
        one = run(p, options);
        status = status == POLYNEST_OK ? one : status;
    }
    polynest_free(p);
    return status;
}

void description_report(const polynest *p, const struct options *options)
{
    const bool json = strcmp(options->diagnostics, "json") == 0;

    if (json)
        fputs(polynest_diagnostics_json(p), stderr);
    else
        messages_print(polynest_diagnostics(p), options->quiet, messages_have_colours());
}

polynest_status print_and_free(char *text)
{
    struct output output = {.text = text};
    const bool ok = output_all(&output, 1);

    free(text);
    return ok ? POLYNEST_OK : POLYNEST_ENVIRONMENT;
}
