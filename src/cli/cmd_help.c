#include "cli/command.h"

#include <stdio.h>
#include <string.h>

static void print_names(const char *title, const char *(*name)(int number))
{
    int column = 100;

    printf("\n%s:", title);
    for (int i = 0; name(i); i++) {
        column += 1 + (int)strlen(name(i));
        if (column > 90) {
            fputs("\n ", stdout);
            column = 1 + (int)strlen(name(i));
        }
        printf(" %s", name(i));
    }
    puts("");
}

static void print_overview(void)
{
    puts("polynest turns a JSON description of loop nests and a schedule into readable, proven C.\n\n"
         "  polynest FILE            the same as polynest emit FILE");
    for (int i = 0; commands[i]; i++) {
        char left[64];
        const int width = snprintf(left, sizeof(left), "polynest %s %s", commands[i]->name, commands[i]->operand);

        printf("  %-24s%s%s\n", left, width > 24 ? "\n                           " : " ", commands[i]->summary);
    }
    print_names("The steps of schedules and plans", polynest_step);
    print_names("The objects of a description", polynest_object);
    puts("\npolynest help VERB tells its options, polynest help STEP what a step does, polynest help OBJECT its keys,\n"
         "polynest help PN0801 what a message with this code means, and polynest help codes lists these.\n"
         "FILE may be - for standard input.\n"
         "Exit status: 0 done, 1 the input was refused, 2 usage, 3 the environment failed,\n"
         "4 undecided within the budget.");
}

void command_print_help(const struct command *command)
{
    printf("polynest %s [options] %s\n%s\n\n", command->name, command->operand, command->summary);
    options_help(command->verb);
}

/* The page of a step or of a message's code, or NULL. */
static char *page_of(const char *topic)
{
    char *page = polynest_step_help(topic);

    if (page)
        return page;
    return strcmp(topic, "codes") == 0 ? polynest_codes() : polynest_code_help(topic);
}

static polynest_status run(const struct options *options)
{
    char *page = options->operand ? page_of(options->operand) : NULL;
    const struct command *command = options->operand && !page ? command_find(options->operand) : NULL;

    if (page)
        return print_and_free(page);

    if (options->operand && !command)
        return POLYNEST_USAGE;
    if (command)
        command_print_help(command);
    else
        print_overview();
    return POLYNEST_OK;
}

const struct command command_help = {
    "help", "[VERB|STEP|OBJECT|CODE]",
    "this text, options of a verb, or the page of a step, an object or a message's code", VERB_PLAIN, run};
