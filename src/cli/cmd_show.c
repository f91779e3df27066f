#include "cli/command.h"
#include "cli/files.h"

#include <stdio.h>

static polynest_status run(const struct options *options)
{
    const polynest_form form = options->tree      ? POLYNEST_TREE
                               : options->map     ? POLYNEST_MAP
                               : options->diff    ? POLYNEST_CHANGES
                               : options->outline ? POLYNEST_OUTLINE
                                                  : POLYNEST_LOOPS;
    polynest_status status;
    polynest *p;

    if (options->tree + options->map + options->outline + options->diff > 1) {
        fputs("polynest: error: one of --tree, --map, --outline and --diff\n", stderr);
        return POLYNEST_USAGE;
    }
    p = description_open(options, true, &status);
    if (!p)
        return status;
    polynest_set_slice(p, options->slice);
    status = polynest_show(p, form, options->steps || options->diff);
    description_report(p, options);
    if (!output_all(&(struct output){.text = polynest_output(p)}, 1))
        status = POLYNEST_ENVIRONMENT;
    polynest_free(p);
    return status;
}

const struct command command_show = {"show", "FILE", "the loops after the schedule, or after each of its steps",
                                     VERB_SHOW, run};
