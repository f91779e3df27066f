#include "cli/command.h"
#include "cli/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* With --check the file is named where it would change; else it, or standard output, gets the formatted text. */
static polynest_status put(const char *path, const char *text, const char *formatted, bool check)
{
    struct output output = {.path = strcmp(path, "-") == 0 ? NULL : path, .text = formatted};
    const bool same = strcmp(text, formatted) == 0;

    if (check) {
        if (!same)
            puts(path);
        return same ? POLYNEST_OK : POLYNEST_REFUSED;
    }
    if (same && output.path)
        return POLYNEST_OK;
    return output_all(&output, 1) ? POLYNEST_OK : POLYNEST_ENVIRONMENT;
}

static polynest_status format(const char *path, const struct options *options)
{
    polynest_status status = POLYNEST_ENVIRONMENT;
    size_t size;
    char *text = file_read(path, &size);
    polynest *p;

    if (!text)
        return status;
    p = polynest_new(strcmp(path, "-") == 0 ? "<stdin>" : path, text, size);
    status = polynest_format(p);
    description_report(p, options);
    if (status == POLYNEST_OK)
        status = put(path, text, polynest_output(p), options->check);
    polynest_free(p);
    free(text);
    return status;
}

static polynest_status run(const struct options *options)
{
    polynest_status worst = POLYNEST_OK;

    if (options->n_file == 0) {
        fputs("polynest: error: which files? (\"-\" is standard input)\n", stderr);
        return POLYNEST_USAGE;
    }
    for (int k = 0; k < options->n_file; k++) {
        const polynest_status status = format(options->file[k], options);

        worst = status > worst ? status : worst;
    }
    return worst;
}

const struct command command_fmt = {"fmt", "FILE...", "format descriptions in place, comments kept", VERB_FORMAT, run};
