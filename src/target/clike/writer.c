#include "target/clike/writer.h"

#include <string.h>

static int nesting_change(char c)
{
    return (strchr("([{", c) && c) - (strchr(")]}", c) && c);
}

/* Would a line break in place of this blank read well? Before an operator, or after a comma. */
static bool is_break(const char *line, size_t at)
{
    static const char *const operators[] = {"+ ", "- ", "* ", "/ ", "% ", "? ", ": ", "&& ", "|| ", "& ", "| ", "^ "};

    if (line[at] != ' ' || at == 0)
        return false;
    if (line[at - 1] == ',' || line[at - 1] == ';' || line[at - 1] == '=')
        return true;
    for (size_t k = 0; k < sizeof(operators) / sizeof(operators[0]); k++)
        if (strncmp(line + at + 1, operators[k], strlen(operators[k])) == 0)
            return true;
    return false;
}

/* How much a break at this blank separates: fewer nested brackets first, then weaker operators. */
static int break_cost(const char *line, size_t at, int depth)
{
    const char next = line[at + 1];

    if (line[at - 1] == '=')
        return 8 * depth + 4;
    if (line[at - 1] == ',' || line[at - 1] == ';' || next == '?' || next == ':')
        return 8 * depth;
    if (next == '*' || next == '/' || next == '%')
        return 8 * depth + 3;
    return 8 * depth + (next == '+' || next == '-' ? 2 : 1);
}

/* Where to break a line of which the first `room` bytes fit: the best break in the latter part; 0: nowhere. */
static size_t break_at(const char *line, size_t room)
{
    size_t best = 0;
    int best_cost = 0, depth = 0;

    for (size_t at = 0; at <= room && line[at]; at++) {
        depth += nesting_change(line[at]);
        if (!is_break(line, at) || at < room / 3)
            continue;
        const int cost = break_cost(line, at, depth);
        if (!best || cost <= best_cost) {
            best = at;
            best_cost = cost;
        }
    }
    return best;
}

/* The column after the innermost bracket that is open behind size bytes from start; else 4. */
static int continuation(const char *start, size_t size)
{
    int open[64], depth = 0;

    for (size_t at = 0; at < size; at++) {
        if (nesting_change(start[at]) > 0 && depth < 64)
            open[depth++] = (int)at + 1;
        else if (nesting_change(start[at]) < 0 && depth > 0)
            depth--;
    }
    return depth && open[depth - 1] <= WRITER_WIDTH / 2 ? open[depth - 1] : 4;
}

void write_line(struct writer *writer, const char *line)
{
    const char *start = line;
    const int base = 4 * writer->indent;
    int indent = base;

    while (strlen(line) + (size_t)indent > WRITER_WIDTH) {
        const size_t at = break_at(line, (size_t)(WRITER_WIDTH > indent + 20 ? WRITER_WIDTH - indent : 20));
        if (!at)
            break;
        text_addf(writer->out, "%*s%.*s\n", indent, "", (int)at, line);
        line += at + 1;
        indent = base + continuation(start, (size_t)(line - start));
    }
    text_addf(writer->out, "%*s%s\n", indent, "", line);
}

void write_linef(struct writer *writer, const char *format, ...)
{
    struct text line = {0};
    va_list args;

    va_start(args, format);
    text_vaddf(&line, format, args);
    va_end(args);
    write_line(writer, text_str(&line));
    text_free(&line);
}

void write_blank(struct writer *writer)
{
    const char *text = text_str(writer->out);
    const size_t size = writer->out->size;

    if (size < 2 || text[size - 2] == '\n' || text[size - 2] == '{')
        return;
    text_char(writer->out, '\n');
}

void write_words(struct text *out, const char *prefix, const char *rest, const char *words)
{
    size_t column = strlen(prefix);
    bool first = true;

    text_add(out, prefix);
    while (*words) {
        const size_t size = strcspn(words, " ");
        const size_t blanks = strspn(words + size, " ");
        if (!first && column + size > WRITER_WIDTH) {
            while (out->size && out->data[out->size - 1] == ' ')
                text_truncate(out, out->size - 1);
            text_addf(out, "\n%s", rest);
            column = strlen(rest);
        }
        text_add_n(out, words, size + blanks);
        column += size + blanks;
        words += size + blanks;
        first = false;
    }
    text_char(out, '\n');
}
