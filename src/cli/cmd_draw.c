#include "cli/command.h"
#include "cli/files.h"

#include <string.h>

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
