#include "read/edit/insert.h"

#include "base/json.h"

#include <string.h>

enum { INDENT = 2 };

/* Where a value starts, and where it ends; the place of a string is inside of its quotes. */
static size_t start_of(const struct value *value)
{
    return value->place.offset - (value->kind == VALUE_STRING);
}

static size_t end_of(const struct value *value)
{
    return value->place.offset + value->place.length + (value->kind == VALUE_STRING);
}

static size_t line_start(const char *text, size_t at)
{
    while (at > 0 && text[at - 1] != '\n')
        at--;
    return at;
}

/* The blanks that the line of `at` starts with. */
static int indent_at(const char *text, size_t at)
{
    return (int)strspn(text + line_start(text, at), " ");
}

static bool starts_line(const char *text, size_t at)
{
    return line_start(text, at) + (size_t)indent_at(text, at) == at;
}

/* Behind what is said, on the line of `at`, about the item that ends there; `at` itself where more follows. */
static size_t behind_comments(const char *text, size_t at)
{
    const char *end = text + at + strspn(text + at, " ");

    while (end[0] == '/' && end[1] == '*' && strstr(end, "*/"))
        for (end = strstr(end, "*/") + 2; *end == ' ';)
            end++;
    if (end[0] == '/' && end[1] == '/')
        end += strcspn(end, "\n");
    return *end == '\n' || *end == '\r' ? (size_t)(end - text) : at;
}

/* The text with piece in the place of what is from start to end. */
static const char *spliced(const struct edited *edited, size_t start, size_t end, const char *piece)
{
    return arena_printf(edited->arena, "%.*s%s%s", (int)start, edited->source->text, piece, edited->source->text + end);
}

/* piece as the next one behind what ends at `end` and starts at `start`. */
static const char *behind(const struct edited *edited, size_t start, size_t end, const char *piece)
{
    const char *text = edited->source->text;

    if (!starts_line(text, start))
        return spliced(edited, end, end, arena_printf(edited->arena, ", %s", piece));

    const size_t line = behind_comments(text, end);
    piece =
        arena_printf(edited->arena, ",%.*s\n%*s%s", (int)(line - end), text + end, indent_at(text, start), "", piece);
    return spliced(edited, end, line, piece);
}

/* The only thing inside of brackets; one that is no object starts no line. */
static const char *alone(const struct edited *edited, const struct value *around, const char *piece, bool on_a_line)
{
    const size_t start = around->place.offset + 1, end = start + around->place.length - 2;
    const int indent = indent_at(edited->source->text, around->place.offset);

    if (on_a_line)
        piece = arena_printf(edited->arena, "\n%*s%s\n%*s", indent + INDENT, "", piece, indent, "");
    return spliced(edited, start, end, piece);
}

const char *insert_item(const struct edited *edited, const struct value *list, const char *item)
{
    const struct value *last = list->n_item ? &list->item[list->n_item - 1] : NULL;

    return last ? behind(edited, start_of(last), end_of(last), item) : alone(edited, list, item, *item == '{');
}

/* The last member whose key is in front of `key` among keys; -1: there is none. */
static int member_before(const struct value *object, const struct argument *keys, const char *key)
{
    const struct argument *own = find_key(keys, key);
    int before = -1;

    for (int k = 0; k < object->n_item; k++) {
        const struct argument *other = find_key(keys, object->key[k]);

        if (!own || !other || other < own)
            before = k;
    }
    return before;
}

const char *insert_member(const struct edited *edited, const struct value *object, const struct argument *keys,
                          const char *key, const char *value)
{
    const struct value *old = value_member(object, key);
    struct text quoted = {0};
    const char *member;

    if (old)
        return spliced(edited, start_of(old), end_of(old), value);
    json_string(&quoted, key);
    member = arena_printf(edited->arena, "%s: %s", text_str(&quoted), value);
    text_free(&quoted);
    if (object->n_item == 0)
        return alone(edited, object, member, false);

    const int before = member_before(object, keys, key);
    if (before >= 0)
        return behind(edited, object->key_place[before].offset - 1, end_of(&object->item[before]), member);
    const size_t first = object->key_place[0].offset - 1;
    const int indent = indent_at(edited->source->text, first);
    member = starts_line(edited->source->text, first) ? arena_printf(edited->arena, "%s,\n%*s", member, indent, "")
                                                      : arena_printf(edited->arena, "%s, ", member);
    return spliced(edited, first, first, member);
}

static int indent_of_members(const struct edited *edited, const struct value *object)
{
    const char *text = edited->source->text;
    const int last = object->n_item - 1;

    if (last >= 0 && starts_line(text, object->key_place[last].offset - 1))
        return indent_at(text, object->key_place[last].offset);
    return indent_at(text, end_of(object) - 1) + INDENT;
}

const char *insert_into(const struct edited *edited, const struct value *object, const struct argument *keys,
                        const char *key, const char *item)
{
    const struct value *list = value_of_kind(object, key, VALUE_LIST);
    const int indent = indent_of_members(edited, object);

    if (list)
        return insert_item(edited, list, item);
    item = *item == '{' ? arena_printf(edited->arena, "[\n%*s%s\n%*s]", indent + INDENT, "", item, indent, "")
                        : arena_printf(edited->arena, "[%s]", item);
    return insert_member(edited, object, keys, key, item);
}
