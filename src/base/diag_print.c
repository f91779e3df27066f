#include "base/diag.h"
#include "base/utf8.h"

#include <string.h>

enum { LINE_SHOWN = 160, CONTEXT_SHOWN = 60 }; /* longer lines are shown around the place only */

static const char *const severity_name[] = {
    [SEVERITY_ERROR] = "error", [SEVERITY_WARNING] = "warning", [SEVERITY_NOTE] = "note"};

/* Bytes [start, end) of a text: a line, or the part of it that is shown. */
struct extent {
    size_t start, end;
};

/* The length of the character at text; bytes that are not UTF-8 count as one character each. */
static size_t step_at(const char *text, size_t size)
{
    const size_t length = utf8_length(text, size);

    return length ? length : 1;
}

static bool is_visible(const char *text, size_t size)
{
    const unsigned char c = (unsigned char)*text;

    return utf8_length(text, size) > 0 && c >= 0x20 && c != 0x7f;
}

/* Adds text with control characters and bytes that are not UTF-8 replaced, so that a terminal shows it as it is. */
static void add_visible(struct text *out, const char *text, size_t size, bool keep_tabs)
{
    for (size_t i = 0, step; i < size; i += step) {
        step = step_at(text + i, size - i);
        if (is_visible(text + i, size - i) || (keep_tabs && text[i] == '\t'))
            text_add_n(out, text + i, step);
        else
            text_char(out, '?');
    }
}

static struct extent line_around(const struct source *source, size_t offset)
{
    struct extent line = {offset, offset};

    while (line.start > 0 && source->text[line.start - 1] != '\n')
        line.start--;
    while (line.end < source->size && source->text[line.end] != '\n')
        line.end++;
    if (line.end > line.start && source->text[line.end - 1] == '\r' && line.end > offset)
        line.end--;
    return line;
}

static bool is_continuation(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* Narrows a long line to some context on both sides of [offset, offset + length). */
static struct extent shorten(const struct source *source, struct extent line, size_t offset, size_t length)
{
    struct extent shown = line;

    if (line.end - line.start <= LINE_SHOWN)
        return line;
    if (offset - line.start > CONTEXT_SHOWN)
        shown.start = offset - CONTEXT_SHOWN;
    if (length > LINE_SHOWN - CONTEXT_SHOWN)
        length = LINE_SHOWN - CONTEXT_SHOWN;
    if (line.end - offset > length + CONTEXT_SHOWN)
        shown.end = offset + length + CONTEXT_SHOWN;
    while (shown.start < offset && is_continuation(source->text[shown.start]))
        shown.start++;
    while (shown.end < line.end && is_continuation(source->text[shown.end]))
        shown.end++;
    return shown;
}

/* Blanks as wide as text [start, end): tabs stay tabs, every other character is one column. */
static void add_indent(struct text *out, const char *text, size_t start, size_t end)
{
    for (size_t i = start; i < end; i += step_at(text + i, end - i))
        text_char(out, text[i] == '\t' ? '\t' : ' ');
}

static void add_caret(struct text *out, const char *text, size_t start, size_t end)
{
    text_char(out, '^');
    if (start >= end)
        return;
    for (size_t i = start + step_at(text + start, end - start); i < end; i += step_at(text + i, end - i))
        text_char(out, '~');
}

static void add_source_line(struct text *out, struct place place, int line_number)
{
    const struct source *source = place.source;
    const size_t offset = place.offset < source->size ? place.offset : source->size;
    const struct extent line = line_around(source, offset);
    const size_t room = line.end > offset ? line.end - offset : 0;
    const size_t length = place.length < room ? place.length : room;
    const struct extent shown = shorten(source, line, offset, length);
    const char *before = shown.start > line.start ? "..." : "";

    text_addf(out, "%5d | %s", line_number, before);
    add_visible(out, source->text + shown.start, shown.end - shown.start, true);
    text_addf(out, "%s\n      | %*s", shown.end < line.end ? "..." : "", (int)strlen(before), "");
    add_indent(out, source->text, shown.start, offset);
    add_caret(out, source->text, offset, offset + length < shown.end ? offset + length : shown.end);
    text_char(out, '\n');
}

static void add_header(struct text *out, const struct diag *diag, int line, int column)
{
    if (diag->place.source)
        text_addf(out, "%s:%d:%d: ", diag->place.source->name, line, column);
    else
        text_add(out, "polynest: ");
    text_addf(out, "%s: ", severity_name[diag->severity]);
    add_visible(out, diag->message, strlen(diag->message), false);
    if (diag->rule)
        text_addf(out, " [%s]", diag->rule);
    if (diag->rule && diag_explanation(diag->rule))
        text_addf(out, " %.*s", DIAG_CODE_SIZE, diag_explanation(diag->rule));
    text_char(out, '\n');
}

/* A note without a place belongs to the diagnostic above it: it is indented below that. */
static void add_plain(struct text *out, const char *what, const char *message)
{
    text_addf(out, "      = %s: ", what);
    add_visible(out, message, strlen(message), false);
    text_char(out, '\n');
}

static void add_diag(struct text *out, const struct diag *diag)
{
    int line, column;

    if (diag->severity == SEVERITY_NOTE && !diag->place.source) {
        add_plain(out, "note", diag->message);
    } else {
        place_position(diag->place, &line, &column);
        add_header(out, diag, line, column);
        if (diag->place.source)
            add_source_line(out, diag->place, line);
    }
    for (int i = 0; i < diag->notes.n; i++)
        add_diag(out, diag->notes.at[i]);
    if (diag->hint)
        add_plain(out, "hint", diag->hint);
}

void diags_print(const struct diags *diags, struct text *out)
{
    for (int i = 0; i < diags->list.n; i++)
        add_diag(out, diags->list.at[i]);
}
