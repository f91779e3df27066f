#include "cli/messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A word that starts a message, and its colour: bold and red, magenta, cyan. */
struct severity {
    const char *word, *colour;
};

static const struct severity severities[] = {{"error: ", "\033[1;31m"},
                                             {"warning: ", "\033[1;35m"},
                                             {"note: ", "\033[1;36m"}};

enum { N_SEVERITY = sizeof(severities) / sizeof(severities[0]), ERROR = 0, NOTE = 2 };

static const char bold[] = "\033[1m", plain[] = "\033[0m", green[] = "\033[32m";

bool messages_have_colours(void)
{
    const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");

    return isatty(STDERR_FILENO) && !(none && *none) && terminal && strcmp(terminal, "dumb") != 0;
}

/* Finds the word "error", "warning" or "note" in the first line of a message, of size characters; NULL: it is not the
 * first line. */
static const char *severity_in(const char *line, size_t size, int *severity)
{
    const char *first = NULL;

    for (int k = 0; line[0] != ' ' && k < N_SEVERITY; k++) {
        const char *found = strstr(line, severities[k].word);
        if (!found || found >= line + size || (first && found > first))
            continue;
        first = found;
        *severity = k;
    }
    return first;
}

/* "FILE:1:2: error: TEXT" with the place bold and the severity in its colour. */
static void print_head(const char *line, size_t size, const char *word, int severity)
{
    const size_t before = (size_t)(word - line), length = strlen(severities[severity].word);

    fprintf(stderr, "%s%.*s%s%.*s%s%.*s\n", bold, (int)before, line, severities[severity].colour, (int)length, word,
            plain, (int)(size - before - length), word + length);
}

/* The carets below a line of the source are green. */
static void print_line(const char *line, size_t size)
{
    const size_t blanks = strspn(line, " |");
    const bool marks = blanks < size && blanks + strspn(line + blanks, "^~") == size;

    fprintf(stderr, marks ? "%.*s%s%.*s%s\n" : "%.*s%s%.*s%s\n", (int)(marks ? blanks : size), line, marks ? green : "",
            (int)(marks ? size - blanks : 0), line + blanks, marks ? plain : "");
}

void messages_print(const char *text, bool quiet, bool colours)
{
    bool shown = !quiet;

    while (*text) {
        const size_t size = strcspn(text, "\n");
        int severity = ERROR;
        const char *word = severity_in(text, size, &severity);

        if (word && severity != NOTE)
            shown = !quiet || severity == ERROR;
        if (shown && colours && word)
            print_head(text, size, word, severity);
        else if (shown && colours)
            print_line(text, size);
        else if (shown)
            fprintf(stderr, "%.*s\n", (int)size, text);
        text += size + (text[size] == '\n');
    }
}

static void tell_stage(const char *stage, void *user)
{
    const struct timespec *start = user;
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    fprintf(stderr, "polynest: %7.3f s: %s\n",
            (double)(now.tv_sec - start->tv_sec) + 1e-9 * (double)(now.tv_nsec - start->tv_nsec), stage);
}

void messages_follow(polynest *p, const struct options *options)
{
    static struct timespec start; /* of the process */

    clock_gettime(CLOCK_MONOTONIC, &start);
    polynest_set_trace(p, options->verbose ? tell_stage : NULL, &start);
}
