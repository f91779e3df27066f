#include "cli/command.h"

#include <stdio.h>

static void print_overview(void)
{
    puts("polynest turns a JSON description of loop nests and a schedule into readable, proven C.\n\n"
         "  polynest FILE            the same as polynest emit FILE");
    for (int i = 0; commands[i]; i++) {
        char left[64];
        const int width = snprintf(left, sizeof(left), "polynest %s %s", commands[i]->name, commands[i]->operand);

        printf("  %-24s%s%s\n", left, width > 24 ? "\n                           " : " ", commands[i]->summary);
    }
    puts("\npolynest help VERB tells its options. FILE may be - for standard input.\n"
         "Exit status: 0 done, 1 the input was refused, 2 usage, 3 the environment failed,\n"
         "4 undecided within the budget.");
}

void command_print_help(const struct command *command)
{
    printf("polynest %s [options] %s\n%s\n\n", command->name, command->operand, command->summary);
    options_help(command->verb);
}

static polynest_status run(const struct options *options)
{
    const struct command *command = options->operand ? command_find(options->operand) : NULL;

    if (options->operand && !command)
        return POLYNEST_USAGE;
    if (command)
        command_print_help(command);
    else
        print_overview();
    return POLYNEST_OK;
}

const struct command command_help = {"help", "[VERB]", "this text, or the options of a verb", VERB_PLAIN, run};
