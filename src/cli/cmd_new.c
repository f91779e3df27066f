#include "cli/command.h"
#include "cli/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STARTS = 32 };

/* The start's first line, which says what it is. */
static void print_title(const char *name)
{
    char *text = polynest_start(name);

    printf("  %-10s %.*s\n", name, (int)strcspn(text + 3, "\n"), text + 3);
    free(text);
}

static polynest_status list(void)
{
    puts("polynest new KERNEL prints a description to start from; -o FILE writes it to a new file. There are:");
    for (int k = 0; polynest_start_name(k); k++)
        print_title(polynest_start_name(k));
    return POLYNEST_OK;
}

static polynest_status unknown(const char *name)
{
    const char *known[MOST_STARTS];
    int n = 0;

    for (; n < MOST_STARTS && polynest_start_name(n); n++)
        known[n] = polynest_start_name(n);
    usage_error("there is no start", name, known, n);
    fputs("polynest new lists all of them\n", stderr);
    return POLYNEST_USAGE;
}

static polynest_status run(const struct options *options)
{
    struct output output = {.path = options->output, .create = true};
    char *text = options->operand ? polynest_start(options->operand) : NULL;
    bool ok;

    if (!text)
        return options->operand ? unknown(options->operand) : list();
    output.text = text;
    ok = output_all(&output, 1);
    free(text);
    return ok ? POLYNEST_OK : POLYNEST_ENVIRONMENT;
}

const struct command command_new = {"new", "[KERNEL]", "a description to start from: gemm, stencil, fir, ...", VERB_NEW,
                                    run};
