#include "cli/command.h"
#include "cli/files.h"
#include "cli/stop.h"

static polynest_status run(const struct options *options)
{
    polynest_status status;
    polynest *p = description_open(options, &status);

    if (!p)
        return status;
    polynest_set_stop(p, stop_on_signals());
    status = polynest_verify(p);
    description_report(p, options);
    if (*polynest_output(p) && !output_all(&(struct output){.text = polynest_output(p)}, 1))
        status = POLYNEST_ENVIRONMENT;
    polynest_free(p);
    return status;
}

const struct command command_verify = {"verify", "FILE",
                                       "build and run what is emitted, and compare with the description", VERB_VERIFY,
                                       run};
