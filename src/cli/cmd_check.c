#include "cli/command.h"

static polynest_status run(const struct options *options)
{
    polynest_status status;
    polynest *p = description_open(options, &status);

    if (!p)
        return status;
    status = polynest_check(p);
    description_report(p, options);
    polynest_free(p);
    return status;
}

const struct command command_check = {"check", "FILE", "is the description right and its schedule legal?", VERB_CHECK,
                                      run};
