#include "cli/command.h"
#include "cli/files.h"
#include "cli/stop.h"

/* What a verb that runs emitted code makes goes to standard output. */
static polynest_status run_by(polynest *p, const struct options *options, polynest_status (*verb)(polynest *p))
{
    polynest_status status;

    polynest_set_stop(p, stop_on_signals());
    polynest_set_running(p, "json", options->json ? "1" : "0");
    status = verb(p);
    description_report(p, options);
    if (*polynest_output(p) && !output_all(&(struct output){.text = polynest_output(p)}, 1))
        status = POLYNEST_ENVIRONMENT;
    return status;
}

static polynest_status verify_one(polynest *p, const struct options *options)
{
    return run_by(p, options, polynest_verify);
}

static polynest_status verify(const struct options *options)
{
    return description_for_each(options, verify_one);
}

static polynest_status bench(const struct options *options)
{
    polynest_status status;
    polynest *p = description_open(options, true, &status);

    if (p)
        status = run_by(p, options, polynest_bench);
    polynest_free(p);
    return status;
}

const struct command command_verify = {"verify", "FILE",
                                       "build and run what is emitted, and compare with the description", VERB_VERIFY,
                                       verify};
const struct command command_bench = {"bench", "FILE", "how fast it is, beside compilers' own optimisers", VERB_BENCH,
                                      bench};
