#include "cli/command.h"
#include "cli/files.h"
#include "cli/stop.h"

/* What a verb that runs emitted code makes goes to standard output. */
static polynest_status run_by(const struct options *options, polynest_status (*verb)(polynest *p))
{
    polynest_status status;
    polynest *p = description_open(options, &status);

    if (!p)
        return status;
    polynest_set_stop(p, stop_on_signals());
    polynest_set_running(p, "json", options->json ? "1" : "0");
    status = verb(p);
    description_report(p, options);
    if (*polynest_output(p) && !output_all(&(struct output){.text = polynest_output(p)}, 1))
        status = POLYNEST_ENVIRONMENT;
    polynest_free(p);
    return status;
}

static polynest_status verify(const struct options *options)
{
    return run_by(options, polynest_verify);
}

static polynest_status bench(const struct options *options)
{
    return run_by(options, polynest_bench);
}

const struct command command_verify = {"verify", "FILE",
                                       "build and run what is emitted, and compare with the description", VERB_VERIFY,
                                       verify};
const struct command command_bench = {"bench", "FILE", "how fast it is, beside compilers' own optimisers", VERB_BENCH,
                                      bench};
