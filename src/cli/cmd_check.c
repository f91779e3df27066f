#include "cli/command.h"

static polynest_status check(polynest *p, const struct options *options)
{
    const polynest_status status = polynest_check(p);

    description_report(p, options);
    return status;
}

static polynest_status run(const struct options *options)
{
    return description_for_each(options, check);
}

const struct command command_check = {"check", "FILE", "is the description right and its schedule legal?", VERB_CHECK,
                                      run};
