#include "cli/command.h"
#include "cli/files.h"

#include <stdio.h>

static polynest_status run(const struct options *options)
{
    polynest_status status;
    polynest *p;

    if (options->json && options->topic) {
        fputs("polynest: error: --json explains the whole program: no LOOP, STEP or BUFFER with it\n", stderr);
        return POLYNEST_USAGE;
    }
    p = description_open(options, true, &status);
    if (!p)
        return status;
    status = options->json ? polynest_explain_json(p) : polynest_explain(p, options->topic);
    description_report(p, options);
    if (!output_all(&(struct output){.text = polynest_output(p)}, 1))
        status = POLYNEST_ENVIRONMENT;
    polynest_free(p);
    return status;
}

const struct command command_explain = {"explain", "FILE [LOOP|STEP|BUFFER]",
                                        "what is parallel and why not, dependences, footprints, buffers", VERB_EXPLAIN,
                                        run};
