#include "cli/command.h"
#include "cli/numbers.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

const struct command *const commands[] = {&command_emit,
                                          &command_auto,
                                          &command_check,
                                          &command_show,
                                          &command_explain,
                                          &command_draw,
                                          &command_verify,
                                          &command_bench,
                                          &command_tune,
                                          &command_fmt,
                                          &command_new,
                                          &command_primitives,
                                          &command_schema,
                                          &command_targets,
                                          &command_version,
                                          &command_help,
                                          NULL};

enum { N_COMMAND = (int)(sizeof(commands) / sizeof(commands[0])) - 1 };

const struct command *command_find(const char *name)
{
    const char *known[N_COMMAND];

    for (int i = 0; i < N_COMMAND; i++) {
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
        known[i] = commands[i]->name;
    }
    usage_error("unknown verb", name, known, N_COMMAND);
    return NULL;
}

static bool is_verb(const char *word)
{
    for (int i = 0; i < N_COMMAND; i++) {
        if (strcmp(commands[i]->name, word) == 0)
            return true;
    }
    return false;
}

/* `polynest gemm.json` means emit: a first word that is no verb, but an option or like a path. */
static bool is_for_emit(const char *word)
{
    return !is_verb(word) && (word[0] == '-' || strchr(word, '.') || strchr(word, '/') || access(word, F_OK) == 0);
}

static polynest_status run_parsed(const struct command *command, const struct options *options)
{
    if (options->help) {
        command_print_help(command);
        return POLYNEST_OK;
    }
    if (options->operand && command->operand[0] == '\0') {
        fprintf(stderr, "polynest: error: %s takes no \"%s\"\n", command->name, options->operand);
        return POLYNEST_USAGE;
    }
    return command->run(options);
}

static polynest_status run(const struct command *command, int n, char **word)
{
    struct options options;
    polynest_status status = POLYNEST_USAGE;

    if (options_parse(&options, command->verb, n, word))
        status = run_parsed(command, &options);
    options_free(&options);
    return status;
}

static polynest_status run_verb(int n, char **word)
{
    const struct command *command;

    if (n == 0) {
        run(&command_help, 0, word);
        return POLYNEST_USAGE;
    }
    if (strcmp(word[0], "--help") == 0 || strcmp(word[0], "-h") == 0)
        return run(&command_help, n - 1, word + 1);
    if (strcmp(word[0], "--version") == 0)
        return run(&command_version, n - 1, word + 1);
    if (is_for_emit(word[0]))
        return run(&command_emit, n, word);
    command = command_find(word[0]);
    return command ? run(command, n - 1, word + 1) : POLYNEST_USAGE;
}

int main(int argc, char **argv)
{
    polynest_status status;

    numbers_from_lists();
    numbers_by_words();
    status = run_verb(argc > 1 ? argc - 1 : 0, argv + 1);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return (int)status;
    if (status == POLYNEST_OK)
        fputs("polynest: error: cannot write standard output\n", stderr);
    return status == POLYNEST_OK ? POLYNEST_ENVIRONMENT : (int)status;
}
