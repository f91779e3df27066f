#include "cli/command.h"
#include "cli/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A name that ends like this asks for a page. */
static bool is_page(const char *path)
{
    const size_t size = path ? strlen(path) : 0;

    return size > 5 && strcmp(path + size - 5, ".html") == 0;
}

/* False after telling that a number is wanted. */
static bool set_time(polynest *p, const char *text)
{
    char *end;
    const long number = text ? strtol(text, &end, 10) : 0;

    if (text && (number < 1 || *end)) {
        fprintf(stderr, "polynest: error: --time takes the number of an instance, from 1 on, not \"%s\"\n", text);
        return false;
    }
    polynest_set_time(p, number);
    return true;
}

static polynest_status run(const struct options *options)
{
    polynest_status status;
    polynest *p = description_open(options, true, &status);

    if (!p)
        return status;
    polynest_set_plane(p, options->plane);
    if (!set_time(p, options->time)) {
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

const struct command command_draw = {"draw", "FILE",
                                     "a picture of the iteration spaces after schedule and plan, as SVG", VERB_DRAW,
                                     run};
