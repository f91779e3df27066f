#include "read/format/parts.h"

#include <string.h>

struct reading {
    struct arena *arena;
    const char *text;
    size_t at;
};

int format_width(const char *text, size_t size)
{
    int width = 0;

    for (size_t k = 0; k < size; k++)
        width += ((unsigned char)text[k] & 0xc0) != 0x80;
    return width;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static struct comment read_comment(struct reading *reading)
{
    const char *start = reading->text + reading->at, *line = start;
    const bool to_end = start[1] == '/';
    size_t size = to_end ? strcspn(start, "\n") : (size_t)(strstr(start + 2, "*/") + 2 - start);

    reading->at += size;
    while (is_blank(start[size - 1]))
        size--;
    while (line > reading->text && line[-1] != '\n')
        line--;
    return (struct comment){.text = start, .size = size, .column = (int)(start - line), .to_end = to_end};
}

bool gap_ends_line(const struct gap *gap)
{
    return gap->comment.n && gap->comment.at[gap->comment.n - 1].to_end;
}

/* Adds what stands in front of the next token to the gap. */
static void read_gap(struct reading *reading, struct gap *gap)
{
    int lines = 0, blanks = 0;

    for (char c; (c = reading->text[reading->at]) == '\n' || c == '/' || is_blank(c);) {
        if (c == '/') {
            struct comment comment = read_comment(reading);

            comment.own_line = lines > 0 || gap_ends_line(gap);
            comment.spaced = lines > 1;
            comment.blanks = blanks;
            VEC_PUSH(reading->arena, &gap->comment, comment);
            lines = blanks = 0;
            continue;
        }
        lines += c == '\n';
        blanks = c == '\n' ? 0 : blanks + 1;
        reading->at++;
    }
    gap->line = gap->line || lines > 0;
    gap->spaced = gap->spaced || lines > 1;
    gap->blanks = blanks;
}

static size_t plain_size(const char *text)
{
    size_t size = 1;

    if (*text != '"')
        return strcspn(text, " \t\r\n,]}/");
    for (; text[size] != '"'; size++)
        size += text[size] == '\\';
    return size + 1;
}

static const char *read_plain(struct reading *reading, size_t *size)
{
    const char *start = reading->text + reading->at;

    *size = plain_size(start);
    reading->at += *size;
    return start;
}

bool gap_breaks(const struct gap *gap)
{
    bool line = gap->line;

    for (int k = 0; k < gap->comment.n; k++)
        line = line || gap->comment.at[k].own_line || gap->comment.at[k].to_end ||
               memchr(gap->comment.at[k].text, '\n', gap->comment.at[k].size);
    return line;
}

static int comments_width(const struct gap *gap)
{
    int width = 0;

    for (int k = 0; k < gap->comment.n; k++) {
        const char *text = gap->comment.at[k].text, *end = memchr(text, '\n', gap->comment.at[k].size);

        width += format_width(text, end ? (size_t)(end - text) : gap->comment.at[k].size) + 1;
    }
    return width;
}

static void read_item(struct reading *reading, struct item *item);

static void read_items(struct reading *reading, struct item *item)
{
    struct gap gap = {0};

    reading->at++;
    item->value_width = 2;
    read_gap(reading, &gap);
    while (reading->text[reading->at] != ']' && reading->text[reading->at] != '}') {
        struct item *next = ARENA_NEW(reading->arena, struct item);

        next->before = gap;
        if (item->kind == ITEM_OBJECT)
            next->key = read_plain(reading, &next->key_size);
        read_item(reading, next);
        item->value_width += next->width + comments_width(&next->before) + (item->item.n ? 2 : 0);
        item->broken = item->broken || gap_breaks(&next->before) || next->broken;
        VEC_PUSH(reading->arena, &item->item, next);
        gap = (struct gap){0};
        read_gap(reading, &gap);
        if (reading->text[reading->at] == ',') {
            reading->at++;
            read_gap(reading, &gap);
        }
    }
    reading->at++;
    gap.line = false; /* where the bracket stands follows from the rest */
    item->end = gap;
    item->value_width += comments_width(&gap);
    item->broken = item->broken || gap_breaks(&gap);
}

/* The value of item, and what is between it and its key. */
static void read_item(struct reading *reading, struct item *item)
{
    if (item->key) {
        read_gap(reading, &item->behind_key);
        reading->at++;
        read_gap(reading, &item->behind_key);
        item->behind_key.line = false;
    }
    item->kind = reading->text[reading->at] == '['   ? ITEM_LIST
                 : reading->text[reading->at] == '{' ? ITEM_OBJECT
                                                     : ITEM_PLAIN;
    if (item->kind == ITEM_PLAIN) {
        item->text = read_plain(reading, &item->size);
        item->value_width = format_width(item->text, item->size);
    } else {
        read_items(reading, item);
    }
    item->width = item->value_width + comments_width(&item->behind_key) +
                  (item->key ? format_width(item->key, item->key_size) + 2 : 0);
    item->broken = item->broken || gap_breaks(&item->behind_key);
}

struct document format_read(struct arena *arena, const char *text)
{
    struct reading reading = {arena, text, 0};
    struct document document = {.root = ARENA_NEW(arena, struct item)};

    reading.at = strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    read_gap(&reading, &document.root->before);
    if (document.root->before.comment.n)
        document.root->before.comment.at[0].own_line = true;
    read_item(&reading, document.root);
    read_gap(&reading, &document.end);
    return document;
}
