#include "report/listing/changes.h"

#include <stdlib.h>
#include <string.h>

/* The columns of a line, and what is left of it behind its indentation at least. */
enum { COLUMNS = 120, LEAST = 60 };

/* The lines of a text. */
struct lines {
    struct line {
        const char *start;
        int size, blanks; /* of the line, and how many of them are in front */
    } * line;
    int n;
};

static struct lines lines_of(const char *text)
{
    struct lines lines = {NULL, 0};
    int capacity = 1;

    for (const char *c = text; *c; c++)
        capacity += *c == '\n';
    lines.line = calloc((size_t)capacity, sizeof(*lines.line));
    for (const char *c = text; lines.line && *c; c += lines.line[lines.n++].size + 1)
        lines.line[lines.n] = (struct line){c, (int)strcspn(c, "\n"), (int)strspn(c, " ")};
    return lines;
}

static bool is_same(const struct line *a, const struct line *b)
{
    return a->size - a->blanks == b->size - b->blanks &&
           memcmp(a->start + a->blanks, b->start + b->blanks, (size_t)(a->size - a->blanks)) == 0;
}

/* longest[i * (b.n + 1) + j]: how many lines a from its i-th on and b from its j-th on have in common, in order. */
static int *common_lines(const struct lines *a, const struct lines *b)
{
    const size_t row = (size_t)b->n + 1;
    int *longest = calloc(((size_t)a->n + 1) * row, sizeof(*longest));

    for (int i = a->n - 1; longest && i >= 0; i--)
        for (int j = b->n - 1; j >= 0; j--) {
            int *here = &longest[(size_t)i * row + (size_t)j];

            *here = is_same(&a->line[i], &b->line[j]) ? here[row + 1] + 1 : here[row] > here[1] ? here[row] : here[1];
        }
    return longest;
}

/* What becomes of the lines: pair[j] is the line of `then` that line j of `now` was, -1 where it is new. */
struct pairs {
    struct lines then, now;
    int *pair;
};

/* In the order of a longest common part; false where there is no memory. */
static bool pair_lines(struct pairs *pairs)
{
    const struct lines *a = &pairs->then, *b = &pairs->now;
    int *longest = common_lines(a, b);
    int i = 0, j = 0;

    pairs->pair = calloc((size_t)b->n + 1, sizeof(*pairs->pair));
    while (longest && pairs->pair && j < b->n) {
        const int *here = &longest[(size_t)i * ((size_t)b->n + 1) + (size_t)j];

        if (i < a->n && is_same(&a->line[i], &b->line[j]))
            pairs->pair[j++] = i++;
        else if (i < a->n && here[b->n + 1] >= here[1])
            i++;
        else
            pairs->pair[j++] = -1;
    }
    free(longest);
    return longest && pairs->pair;
}

/* The line that line k stands in; -1: none. */
static int around(const struct lines *lines, int k)
{
    const int blanks = lines->line[k].blanks;

    while (k >= 0 && lines->line[k].blanks >= blanks)
        k--;
    return k;
}

/* Is it a line that stands in another one than before, which was there, too? */
static bool is_moved(const struct pairs *pairs, int k)
{
    const int now = around(&pairs->now, k), then = around(&pairs->then, pairs->pair[k]);

    return now < 0 ? then >= 0 : pairs->pair[now] != then;
}

/* Where no line is new, those that have moved are. */
static void mark_moved(struct pairs *pairs)
{
    int *pair = calloc((size_t)pairs->now.n + 1, sizeof(*pair));

    for (int k = 0; k < pairs->now.n; k++)
        if (pairs->pair[k] < 0) {
            free(pair);
            return;
        }
    for (int k = 0; pair && k < pairs->now.n; k++)
        pair[k] = is_moved(pairs, k) ? -1 : pairs->pair[k];
    free(pairs->pair);
    pairs->pair = pair;
}

static void add_line(struct text *out, const char *mark, const struct line *line)
{
    text_addf(out, "%s%.*s\n", mark, line->size, line->start);
}

/* Of the lines before, the first one that is still there at line k or below it. */
static int next_kept(const struct pairs *pairs, int k)
{
    while (k < pairs->now.n && pairs->pair[k] < 0)
        k++;
    return k < pairs->now.n ? pairs->pair[k] : pairs->then.n;
}

/* With `gone` the lines that are no more stand in front of those that came for them. */
static void add_pairs(const struct pairs *pairs, bool gone, struct text *out)
{
    int i = 0;

    for (int j = 0; j <= pairs->now.n; j++) {
        for (; gone && i < next_kept(pairs, j); i++)
            add_line(out, "- ", &pairs->then.line[i]);
        if (j == pairs->now.n)
            return;
        i = pairs->pair[j] < 0 ? i : pairs->pair[j] + 1;
        add_line(out, pairs->pair[j] < 0 ? "+ " : "  ", &pairs->now.line[j]);
    }
}

void report_changes(const char *then, const char *now, bool gone, struct text *out)
{
    struct pairs pairs = {lines_of(then ? then : now), lines_of(now), NULL};

    if (pair_lines(&pairs)) {
        if (!gone)
            mark_moved(&pairs);
        add_pairs(&pairs, gone, out);
    }
    free(pairs.pair);
    free(pairs.then.line);
    free(pairs.now.line);
}

/* The marks at the end of a loop's line, or its end. */
static const char *marks_of(const char *line, const char *end)
{
    const char *marks = end;

    for (const char *c = line; end[-1] == ']' && c + 2 < end; c++)
        if (memcmp(c, "  [", 3) == 0)
            marks = c;
    return marks;
}

/* Where the text in front of the marks is to end, if possible between words. */
static const char *cut_of(const char *line, const char *text, const char *marks, const char *end)
{
    const long room = COLUMNS - (end - marks) - (long)strlen(" ..");
    const char *cut = line + room > text + LEAST ? line + room : text + LEAST;

    for (const char *c = cut; c > text + LEAST / 2; c--)
        if (*c == ' ')
            return c;
    return cut;
}

static void add_cut(struct text *out, const char *line, size_t size)
{
    const char *end = line + size, *text = line + strspn(line, "+- ");
    const char *marks = size > COLUMNS ? marks_of(text, end) : end, *cut = marks;

    if (size > COLUMNS)
        cut = cut_of(line, text, marks, end);
    if (cut >= marks) {
        text_add_n(out, line, size);
        return;
    }
    text_add_n(out, line, (size_t)(cut - line));
    text_add(out, " ..");
    text_add_n(out, marks, (size_t)(end - marks));
}

void report_cut(const char *lines, struct text *out)
{
    for (const char *c = lines; *c; c += *c == '\n') {
        const size_t size = strcspn(c, "\n");

        if (size > 0)
            add_cut(out, c, size);
        text_char(out, '\n');
        c += size;
    }
}
