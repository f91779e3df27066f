#include "cli/command.h"
#include "cli/files.h"
#include "cli/stop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One line that is written over again, on a terminal. */
static void show_progress(const char *line, void *user)
{
    (void)user;
    fprintf(stderr, "\r\033[K%.100s", line);
}

/* A word for the shell. */
static void add_word(char **command, const char *option, const char *word)
{
    char *grown = realloc(*command, strlen(*command) + strlen(option) + 4 * strlen(word) + 8), *at;

    if (!grown)
        abort();
    *command = grown;
    at = grown + strlen(grown);
    at += sprintf(at, " %s'", option);
    for (; *word; word++)
        at += *word == '\'' ? sprintf(at, "'\\''") : sprintf(at, "%c", *word);
    strcpy(at, "'");
}

/* The command line without what is about the plan: jobs start with it. */
static char *command_of(const struct options *options)
{
    static const char *const left_out[] = {"plan=", "trials=", "time=", "log=", "from=", "jobs=", "report="};
    char *command = strdup("polynest tune"), option[64];

    if (!command)
        abort();
    add_word(&command, "", options->operand);
    for (int k = 0; k < options->n_size; k++)
        add_word(&command, "--size=", options->size[k]);
    for (int k = 0; k < options->n_set; k++)
        add_word(&command, "--set=", options->set[k]);
    for (int k = 0; k < options->n_running; k++) {
        bool leave = false;
        for (size_t i = 0; i < sizeof(left_out) / sizeof(left_out[0]); i++)
            leave = leave || strncmp(options->running[k], left_out[i], strlen(left_out[i])) == 0;
        snprintf(option, sizeof(option), "--%.*s", (int)strcspn(options->running[k], "=") + 1, options->running[k]);
        if (!leave)
            add_word(&command, option, strchr(options->running[k], '=') + 1);
    }
    if (options->function)
        add_word(&command, "--function=", options->function);
    if (options->variant)
        add_word(&command, "--variant=", options->variant);
    if (options->schedule)
        add_word(&command, "--schedule=", options->schedule);
    if (options->permit)
        add_word(&command, "--permit=", options->permit);
    return command;
}

static polynest_status run(const struct options *options)
{
    const bool terminal = isatty(STDERR_FILENO) && !options->quiet;
    polynest_status status;
    polynest *p = description_open(options, true, &status);
    char *command;

    if (!p)
        return status;
    polynest_set_stop(p, stop_on_signals());
    polynest_set_progress(p, terminal ? show_progress : NULL, NULL);
    command = command_of(options);
    polynest_set_running(p, "command", command);
    free(command);
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
