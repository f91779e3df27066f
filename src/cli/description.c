#include "cli/command.h"
#include "cli/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    if (options->budget_given)
        polynest_set_budget(p, options->budget);
    polynest_set_variant(p, options->variant);
    for (int k = 0; k < options->n_setting; k++)
        polynest_set_value(p, options->setting[k]);
    *status = POLYNEST_OK;
    return p;
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
