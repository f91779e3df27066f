#include "cli/command.h"
#include "cli/files.h"

static polynest_status run(const struct options *options)
{
    polynest_status status;
    polynest *p = description_open(options, true, &status);

    if (!p)
        return status;
    status = polynest_auto(p, options->replace);
    description_report(p, options);
    if (status == POLYNEST_OK && !output_all(&(struct output){.path = options->output, .text = polynest_output(p)}, 1))
        status = POLYNEST_ENVIRONMENT;
    polynest_free(p);
    return status;
}

const struct command command_auto = {"auto", "FILE", "a schedule and a plan, as a schedule file", VERB_AUTO, run};
