#include "report/explain_parts.h"

#include <string.h>

/* Walks back from end to start: false at the bracket that opens the list around. */
static bool stays_in_list(const char *start, const char *end, int *depth)
{
    while (end > start) {
        const char c = *--end;

        if (c == ']' || c == '}')
            (*depth)++;
        else if ((c == '[' || c == '{') && (*depth)-- == 0)
            return false;
    }
    return true;
}

/* The text of a line that is a comment, or NULL. */
static const char *comment_in(const char *start, const char *end)
{
    while (start < end && (*start == ' ' || *start == '\t'))
        start++;
    if (end - start < 2 || start[0] != '/' || start[1] != '/')
        return NULL;
    start += 2;
    return start < end && *start == ' ' ? start + 1 : start;
}

void explain_reason(const struct step *step, struct text *out)
{
    const struct source *source = step->place.source;
    const char *end = source ? source->text + step->place.offset : NULL;
    int depth = 0;

    while (end) {
        const char *start = end, *comment;

        while (start > source->text && start[-1] != '\n')
            start--;
        comment = comment_in(start, end);
        if (comment) {
            text_addf(out, "  why: %.*s\n", (int)(end - comment), comment);
            return;
        }
        if (!stays_in_list(start, end, &depth) || start == source->text)
            return;
        end = start - 1;
    }
}
