/* The verbs: each is one cmd_NAME.c with one struct command, listed in main.c. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "cli/options.h"
#include "polynest/polynest.h"

struct command {
    const char *name;
    const char *operand; /* "FILE", or "" */
    const char *summary;
    enum verb verb;
    polynest_status (*run)(const struct options *options);
};

extern const struct command command_emit, command_auto, command_check, command_show, command_explain, command_draw,
    command_verify, command_bench, command_tune, command_fmt, command_new, command_primitives, command_schema,
    command_targets, command_version, command_help;

/* All of them, NULL-terminated. */
extern const struct command *const commands[];
/* The command with that name, or NULL. */
const struct command *command_find(const char *name);
/* How to call it and its options, on standard output. */
void command_print_help(const struct command *command);

/* The description that the operand names, with the options that every verb on a description has: the function that
 * --function chooses. Without it a file of several is refused where `one` is wanted.
 * NULL when it cannot be had, which has been told; *status says how. */
polynest *description_open(const struct options *options, bool one, polynest_status *status);
/* Runs a verb for the function that --function chooses, for each that the file has, or for the file's only one; the
 * status is the first one that is not good. */
polynest_status description_for_each(const struct options *options,
                                     polynest_status (*run)(polynest *p, const struct options *options));
/* Shows the diagnostics on standard error, as asked for. */
void description_report(const polynest *p, const struct options *options);
/* Prints text to standard output and frees it. */
polynest_status print_and_free(char *text);

#endif
