#include "run/told.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { MOST_SHOWN = 200 };

static const char *const reasons[] = {"differs", "returned", "outside", "written", NULL};
static const char *const others[] = {"apart", "time", NULL};

static bool starts_with(const char *line, const char *word)
{
    const size_t size = strlen(word);

    return strncmp(line, word, size) == 0 && line[size] == ' ';
}

static bool starts_with_any(const char *line, const char *const *word)
{
    for (; *word; word++)
        if (starts_with(line, *word))
            return true;
    return false;
}

/* NULL at the end. */
static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');

    return end && end[1] ? end + 1 : NULL;
}

const char *told_after(const char *text, const char *word)
{
    for (const char *line = text; line; line = next_line(line))
        if (starts_with(line, word))
            return line + strlen(word) + 1;
    return NULL;
}

const char *told_reason(const char *text)
{
    for (const char *line = text; line; line = next_line(line))
        if (starts_with_any(line, reasons))
            return line;
    return NULL;
}

static bool has_letter(const char *line, size_t size)
{
    for (size_t k = 0; k < size; k++)
        if (isalpha((unsigned char)line[k]))
            return true;
    return false;
}

void told_by_others(struct text *out, const char *text)
{
    for (const char *line = text; line; line = next_line(line)) {
        const size_t size = strcspn(line, "\n");

        if (starts_with_any(line, reasons) || starts_with_any(line, others) || !has_letter(line, size))
            continue;
        text_add(out, ": ");
        text_add_n(out, line, size < MOST_SHOWN ? size : MOST_SHOWN);
        return;
    }
}
