#include "read/format/format.h"

#include "read/format/parts.h"
#include "read/json.h"

#include <string.h>

struct print {
    struct text out; /* without the blanks of columns */
    size_t start;    /* of the line */
    int indent;      /* of the line */
    struct columns columns;
};

static int column_now(const struct print *print)
{
    return format_width(text_str(&print->out) + print->start, print->out.size - print->start);
}

static int line_now(const struct print *print)
{
    return print->columns.width.n;
}

static void end_line(struct print *print)
{
    VEC_PUSH(print->columns.arena, &print->columns.width, column_now(print));
    text_char(&print->out, '\n');
    print->start = print->out.size;
}

static void start_line(struct print *print, int indent, bool spaced)
{
    if (print->out.size == 0)
        return;
    end_line(print);
    if (spaced)
        end_line(print);
    for (int k = 0; k < indent; k++)
        text_char(&print->out, ' ');
    print->indent = indent;
}

static void add_mark(struct print *print, int width, bool wanted, bool comment)
{
    const struct mark mark = {.at = print->out.size,
                              .line = line_now(print),
                              .column = column_now(print),
                              .width = width,
                              .wanted = wanted,
                              .comment = comment};

    VEC_PUSH(print->columns.arena, &print->columns.mark, mark);
}

/* Further lines of a comment move with its first one. */
static void add_comment(struct print *print, const struct comment *comment)
{
    const int moved = comment->own_line ? (int)(print->out.size - print->start) - comment->column : 0;

    for (size_t at = 0, size; at < comment->size; at += size + 1) {
        const char *line = comment->text + at;
        const char *end = memchr(line, '\n', comment->size - at);
        size_t kept = size = end ? (size_t)(end - line) : comment->size - at;

        while (kept > 0 && strchr(" \t\r", line[kept - 1]))
            kept--;
        if (at > 0)
            end_line(print);
        for (int k = 0; at > 0 && kept > 0 && k < moved; k++)
            text_char(&print->out, ' ');
        for (int k = moved; at > 0 && k < 0 && kept > 0 && *line == ' '; k++, line++)
            kept--;
        text_add_n(&print->out, line, kept);
    }
}

/* The comments of the gap; blank: also a first one on the line is set apart. */
static void add_comments(struct print *print, const struct gap *gap, int indent, bool blank)
{
    for (int k = 0; k < gap->comment.n; k++) {
        const struct comment *comment = &gap->comment.at[k];

        if (comment->own_line)
            start_line(print, indent, comment->spaced);
        else if ((blank || k > 0 || comment->to_end) && print->out.size)
            text_char(&print->out, ' ');
        if (comment->to_end && !comment->own_line)
            add_mark(print, 0, comment->blanks > 1, true);
        add_comment(print, comment);
    }
}

/* What stands in front of an item: comments, then a new line where one is wanted, or a blank. */
static void add_gap(struct print *print, const struct gap *gap, int indent, bool line, bool blank)
{
    add_comments(print, gap, indent, blank);
    if (line || gap_ends_line(gap))
        start_line(print, indent, gap->spaced);
    else if (blank || gap->comment.n)
        text_char(&print->out, ' ');
}

static bool starts_line(const struct item *item)
{
    return item->before.line || (item->before.comment.n && item->before.comment.at[0].own_line);
}

/* Is the list the statements of a body, which are one below the other? */
static bool is_body(const struct item *item)
{
    return item->key_size == 6 && memcmp(item->key, "\"body\"", 6) == 0;
}

/* Has every item a line of its own for no reason but that programs write it so? */
static bool is_spread(const struct item *item)
{
    bool spread = !item->end.comment.n && !(is_body(item) && item->item.n > 1);

    for (int k = 0; spread && k < item->item.n; k++) {
        const struct item *next = item->item.at[k];

        spread = next->before.line && !(k > 0 && next->before.spaced) && !next->before.comment.n &&
                 (item->kind == ITEM_OBJECT || next->kind == ITEM_PLAIN);
    }
    return spread;
}

static bool has_no_lines(const struct item *item)
{
    bool none = !gap_breaks(&item->end);

    for (int k = 0; none && k < item->item.n; k++)
        none = !gap_breaks(&item->item.at[k]->before);
    return none;
}

/* May all lines in item go, where it fits on one? */
static bool may_join(const struct item *item, bool root)
{
    bool joins = !gap_breaks(&item->behind_key) && (has_no_lines(item) || (!root && is_spread(item)));

    for (int k = 0; joins && k < item->item.n; k++)
        joins = !item->item.at[k]->broken || may_join(item->item.at[k], false);
    return joins;
}

static int key_width(const struct item *item)
{
    return item->key ? format_width(item->key, item->key_size) + 2 : 0;
}

/* The width up to where a line starts in it. */
static int first_width(const struct item *item)
{
    int width = key_width(item) + 1;

    if (!item->broken)
        return item->width;
    if (item->behind_key.comment.n)
        return width;
    for (int k = 0; k < item->item.n; k++) {
        const struct item *next = item->item.at[k];

        if (starts_line(next) || next->before.comment.n)
            break;
        width += first_width(next) + (k > 0);
        if (next->broken)
            break;
        width++;
    }
    return width;
}

/* How a list or an object is laid out. */
struct layout {
    bool opened; /* nothing follows the bracket on its line */
    bool each;   /* each item has a line of its own */
    bool flat;   /* no item has */
    int outside; /* the indentation of the line that it starts on */
    int indent;  /* of lines that start in it */
    int behind;  /* columns for what follows it on its last line */
};

/* The columns for what follows item number k on its last line. */
static int width_behind(const struct item *item, const struct layout *layout, int k)
{
    return k + 1 < item->item.n ? 1 : layout->opened ? 0 : layout->behind + 1;
}

/* One item a line, where it does not fit on one and nobody chose otherwise? */
static bool wants_each(const struct item *item, bool root)
{
    return !item->broken && (root || (item->item.n > 1 && item->kind == ITEM_LIST &&
                                      (item->item.at[0]->kind != ITEM_PLAIN || is_body(item))));
}

static struct layout choose_layout(const struct print *print, const struct item *item, bool root, int behind)
{
    const int at = column_now(print);
    struct layout layout = {.outside = print->indent, .behind = behind};

    layout.flat = at + item->value_width + behind <= FORMAT_LIMIT && (!item->broken || may_join(item, root));
    if (item->item.n == 0) {
        layout.opened = item->broken;
    } else if (!layout.flat) {
        layout.each = wants_each(item, root);
        layout.opened = layout.each || starts_line(item->item.at[0]);
    }
    layout.indent = layout.opened ? print->indent + FORMAT_INDENT : at + 1;
    return layout;
}

static bool wants_line(const struct print *print, const struct item *item, const struct layout *layout, int k)
{
    const struct item *next = item->item.at[k];

    if (layout->flat)
        return false;
    if (k == 0 || layout->each || next->before.line)
        return layout->each || next->before.line;
    return column_now(print) + 1 + first_width(next) + (next->broken ? 0 : width_behind(item, layout, k)) >
           FORMAT_LIMIT;
}

static int add_value(struct print *print, const struct item *item, bool root, bool row, int behind);

static void add_key(struct print *print, const struct item *item)
{
    text_add_n(&print->out, item->key, item->key_size);
    text_char(&print->out, ':');
    add_comments(print, &item->behind_key, print->indent + FORMAT_INDENT, true);
    if (gap_ends_line(&item->behind_key))
        start_line(print, print->indent + FORMAT_INDENT, false);
    else
        text_char(&print->out, ' ');
}

typedef VEC(struct row) row_vec;

/* Prints an item of a list; one that starts where lines of the list do is a row. */
static void add_element(struct print *print, const struct item *item, const struct layout *layout, int behind,
                        row_vec *rows)
{
    struct row row = {item, print->columns.mark.n, 0};

    row.n = add_value(print, item, false, column_now(print) == layout->indent, behind);
    VEC_PUSH(print->columns.arena, rows, row);
}

/* Prints a member of an object. */
static void add_member(struct print *print, const struct item *item, int behind)
{
    add_key(print, item);
    add_value(print, item, false, false, behind);
}

/* Prints the items; returns how many of them are cells of a row, with a mark each: those on the first one's line. */
static int add_items(struct print *print, const struct item *item, const struct layout *layout, bool row)
{
    const int line = line_now(print);
    row_vec rows = {0};
    int n_cell = 0;

    for (int k = 0; k < item->item.n; k++) {
        const struct item *next = item->item.at[k];

        add_gap(print, &next->before, layout->indent, wants_line(print, item, layout, k), k > 0);
        row = row && line_now(print) == line && !next->before.comment.n;
        if (row) {
            add_mark(print, next->width, next->before.blanks > (k > 0), false);
            n_cell++;
        }
        if (next->key)
            add_member(print, next, width_behind(item, layout, k));
        else
            add_element(print, next, layout, width_behind(item, layout, k), &rows);
        if (row && line_now(print) != line)
            n_cell = 0; /* lines that hang below a cell do not move with it */
        if (k + 1 < item->item.n)
            text_char(&print->out, ',');
    }
    format_rows(&print->columns, rows.at, rows.n);
    return n_cell;
}

/* Prints a value; returns the number of its cells, if it is a row. */
static int add_value(struct print *print, const struct item *item, bool root, bool row, int behind)
{
    const struct layout layout = choose_layout(print, item, root, behind);
    int n_cell;

    if (item->kind == ITEM_PLAIN) {
        text_add_n(&print->out, item->text, item->size);
        return 0;
    }
    text_char(&print->out, item->kind == ITEM_LIST ? '[' : '{');
    n_cell = add_items(print, item, &layout, row);
    add_comments(print, &item->end, layout.indent, item->item.n > 0);
    if (layout.opened || gap_ends_line(&item->end))
        start_line(print, layout.opened ? layout.outside : layout.indent, false);
    text_char(&print->out, item->kind == ITEM_LIST ? ']' : '}');
    return n_cell;
}

/* Prints the document without the blanks of its columns, which are left to be put in. */
static void add_document(struct print *print, const struct document *document)
{
    add_gap(print, &document->root->before, 0, document->root->before.line, false);
    add_value(print, document->root, true, false, 0);
    add_comments(print, &document->end, 0, true);
    end_line(print);
    format_comments(&print->columns);
}

static void add_with_columns(const struct print *print, struct text *out)
{
    size_t at = 0;

    for (int k = 0; k < print->columns.mark.n; k++) {
        const struct mark *mark = &print->columns.mark.at[k];

        text_add_n(out, text_str(&print->out) + at, mark->at - at);
        at = mark->at;
        for (int blank = 0; blank < mark->pad; blank++)
            text_char(out, ' ');
    }
    text_add_n(out, text_str(&print->out) + at, print->out.size - at);
}

bool format_source(struct arena *arena, const struct source *source, struct diags *diags, struct text *out)
{
    struct print print = {.columns = {.arena = arena}};

    if (!json_read(arena, source, diags))
        return false;
    const struct document document = format_read(arena, source->text);
    add_document(&print, &document);
    add_with_columns(&print, out);
    text_free(&print.out);
    return true;
}
