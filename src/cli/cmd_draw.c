#include "cli/command.h"
#include "cli/files.h"
#include "cli/numbers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* A name that ends like this asks for a page. */
static bool is_page(const char *path)
{
    const size_t size = path ? strlen(path) : 0;

    return size > 5 && strcmp(path + size - 5, ".html") == 0;
}

static polynest_status run(const struct options *options)
{
    polynest_status status;
    polynest *p = description_open(options, &status);

    if (!p)
        return status;
    for (int k = 0; k < options->n_size; k++)
        if (!set_size(p, options->size[k])) {
            polynest_free(p);
            return POLYNEST_USAGE;
        }
    status = is_page(options->output) ? polynest_draw_page(p) : polynest_draw(p);
    description_report(p, options);
    if (*polynest_output(p) && !output_all(&(struct output){.path = options->output, .text = polynest_output(p)}, 1))
        status = POLYNEST_ENVIRONMENT;
    polynest_free(p);
    return status;
}

const struct command command_draw = {"draw", "FILE", "a picture of the iteration spaces after the schedule, as SVG",
                                     VERB_DRAW, run};
