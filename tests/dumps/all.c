#include "dumps.h"

#include <stdlib.h>
#include <string.h>

char *read_whole(const char *path)
{
    FILE *in = fopen(path, "rb");
    char *text = NULL;
    size_t size;
    FILE *out = in ? open_memstream(&text, &size) : NULL;

    for (int c = out ? fgetc(in) : EOF; c != EOF; c = fgetc(in))
        fputc(c, out);
    if (out)
        fclose(out);
    if (in)
        fclose(in);
    return text;
}

/* The line behind this one. */
static const char *next_line(const char *text)
{
    const char *end = strchr(text, '\n');

    return end ? end + 1 : text + strlen(text);
}

static bool begins_tree(const char *line)
{
    return strncmp(line, "== ", 3) == 0;
}

/* The trees of a pass are one for each kernel. */
static struct dumped *dumped_for(struct dumps *dumps, const char *pass, int length)
{
    struct dumped *dumped;

    for (int k = 0; k < dumps->n; k++)
        if (strncmp(dumps->at[k].pass, pass, (size_t)length) == 0 && dumps->at[k].pass[length] == '\0')
            return &dumps->at[k];
    dumps->at = realloc(dumps->at, (size_t)(dumps->n + 1) * sizeof(*dumps->at));
    dumped = &dumps->at[dumps->n++];
    *dumped = (struct dumped){.text = NULL};
    snprintf(dumped->pass, sizeof(dumped->pass), "%.*s", length, pass);
    return dumped;
}

/* Adds the tree from begin to end. */
static void add_tree(struct dumped *dumped, const char *first_line, const char *begin, const char *end)
{
    const size_t before = dumped->text ? strlen(dumped->text) : 0, head = strcspn(first_line, "\n") + 1;
    const size_t size = (size_t)(end - begin);

    dumped->text = realloc(dumped->text, before + head + size + 1);
    if (!before)
        memcpy(dumped->text, first_line, head);
    memcpy(dumped->text + (before ? before : head), begin, size);
    dumped->text[(before ? before : head) + size] = '\0';
    dumped->n_tree++;
}

/* Leaves out passes that ran more often than the one behind them: of several attempts, one was taken. */
static void drop_attempts(struct dumps *dumps)
{
    int n = 0;

    for (int k = 0; k < dumps->n; k++) {
        const bool attempts = strcmp(dumps->at[k].pass, "loops") == 0 || strcmp(dumps->at[k].pass, "tidy") == 0 ||
                              strcmp(dumps->at[k].pass, "scale") == 0 || strcmp(dumps->at[k].pass, "refine") == 0;
        if (attempts && dumps->n > 5 && dumps->at[k].n_tree != dumps->at[5].n_tree)
            free(dumps->at[k].text);
        else
            dumps->at[n++] = dumps->at[k];
    }
    dumps->n = n;
}

struct dumps dumps_of(polynest *p)
{
    struct dumps dumps = {NULL, 0};
    const char *all, *line, *end;

    if (polynest_dump(p, "all") != POLYNEST_OK)
        return dumps;
    all = polynest_output(p);
    for (line = next_line(all); *line; line = end) {
        const int length = (int)strcspn(line + 3, "\n");
        for (end = next_line(line); *end && !begins_tree(end);)
            end = next_line(end);
        add_tree(dumped_for(&dumps, line + 3, length), all, line, end);
    }
    drop_attempts(&dumps);
    return dumps;
}

void dumps_free(struct dumps *dumps)
{
    for (int k = 0; k < dumps->n; k++)
        free(dumps->at[k].text);
    free(dumps->at);
}
