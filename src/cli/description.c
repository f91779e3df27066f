#include "cli/command.h"
#include "cli/files.h"

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
    if (!permit(p, options->permit))
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

polynest *description_open(const struct options *options, polynest_status *status)
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
    *status = choose(p, options);
    if (options->automatic)
        polynest_set_auto(p, options->replace);
    if (*status == POLYNEST_OK)
        return p;
    polynest_free(p);
    return NULL;
}

void description_report(const polynest *p, const struct options *options)
{
    const bool json = strcmp(options->diagnostics, "json") == 0;

    fputs(json ? polynest_diagnostics_json(p) : polynest_diagnostics(p), stderr);
}

polynest_status print_and_free(char *text)
{
    struct output output = {.text = text};
    const bool ok = output_all(&output, 1);

    free(text);
    return ok ? POLYNEST_OK : POLYNEST_ENVIRONMENT;
}
