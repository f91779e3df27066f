#include "cli/command.h"
#include "cli/files.h"
#include "cli/stop.h"

#include <stdio.h>
#include <unistd.h>

/* One line that is written over again, on a terminal. */
static void show_progress(const char *line, void *user)
{
    (void)user;
    fprintf(stderr, "\r\033[K%.100s", line);
}

static polynest_status run(const struct options *options)
{
    const bool terminal = isatty(STDERR_FILENO);
    polynest_status status;
    polynest *p = description_open(options, &status);

    if (!p)
        return status;
    polynest_set_stop(p, stop_on_signals());
    polynest_set_progress(p, terminal ? show_progress : NULL, NULL);
    status = polynest_tune(p);
    if (terminal)
        fputs("\r\033[K", stderr);
    description_report(p, options);
    if (*polynest_output(p) && !output_all(&(struct output){.path = options->output, .text = polynest_output(p)}, 1))
        status = POLYNEST_ENVIRONMENT;
    polynest_free(p);
    return status;
}

const struct command command_tune = {"tune", "FILE", "search for the fastest steps, as a schedule file", VERB_TUNE,
                                     run};
