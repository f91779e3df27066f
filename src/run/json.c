#include "run/json.h"

#include "base/json.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 200 };

struct reader {
    struct arena *arena;
    const char *at;
    int depth;
};

static const struct json *read_value(struct reader *reader, const char *key);

static void skip(struct reader *reader)
{
    for (;;) {
        reader->at += strspn(reader->at, " \t\r\n");
        if (strncmp(reader->at, "//", 2) == 0) {
            reader->at += strcspn(reader->at, "\n");
        } else if (strncmp(reader->at, "/*", 2) == 0) {
            const char *end = strstr(reader->at + 2, "*/");
            reader->at = end ? end + 2 : reader->at + strlen(reader->at);
        } else {
            return;
        }
    }
}

static bool take(struct reader *reader, char c)
{
    skip(reader);
    if (*reader->at != c)
        return false;
    reader->at++;
    return true;
}

/* UTF-8 of \uXXXX below the surrogates, which polynest does not write. */
static void add_unicode(struct reader *reader, struct text *out)
{
    char digits[5] = {0};
    unsigned long code;

    strncpy(digits, reader->at, 4);
    code = strtoul(digits, NULL, 16);
    reader->at += strlen(digits);
    if (code < 0x80) {
        text_char(out, (char)code);
    } else if (code < 0x800) {
        text_char(out, (char)(0xc0 | code >> 6));
        text_char(out, (char)(0x80 | (code & 63)));
    } else {
        text_char(out, (char)(0xe0 | code >> 12));
        text_char(out, (char)(0x80 | (code >> 6 & 63)));
        text_char(out, (char)(0x80 | (code & 63)));
    }
}

static void add_escaped(struct reader *reader, struct text *out)
{
    static const char letter[] = "bfnrt", meaning[] = "\b\f\n\r\t";
    const char c = *reader->at;
    const char *found = c ? strchr(letter, c) : NULL;

    if (!c)
        return;
    reader->at++;
    if (c == 'u')
        add_unicode(reader, out);
    else
        text_char(out, found ? meaning[found - letter] : c);
}

/* The text up to the closing quote; NULL: there is none. */
static const char *read_string(struct reader *reader)
{
    struct text text = {0};
    const char *copy = NULL;

    for (reader->at++; *reader->at && *reader->at != '"';) {
        if (*reader->at == '\\') {
            reader->at++;
            add_escaped(reader, &text);
        } else {
            text_char(&text, *reader->at++);
        }
    }
    if (*reader->at == '"') {
        reader->at++;
        copy = arena_copy_n(reader->arena, text_str(&text), text.size);
    }
    text_free(&text);
    return copy;
}

static const struct json *read_items(struct reader *reader, struct json *list, char end)
{
    VEC(const struct json *) item = {0};
    bool ok = reader->depth++ < MAX_DEPTH;

    reader->at++;
    while (ok && !take(reader, end)) {
        const char *key = NULL;
        const struct json *value;

        if (list->kind == JSON_OBJECT) {
            key = *reader->at == '"' ? read_string(reader) : NULL;
            ok = key && take(reader, ':');
        }
        value = ok ? read_value(reader, key) : NULL;
        ok = value;
        if (ok) {
            VEC_PUSH(reader->arena, &item, value);
            ok = take(reader, ',') || *reader->at == end;
        }
    }
    reader->depth--;
    list->item = item.at;
    list->n = item.n;
    return ok ? list : NULL;
}

static const struct json *read_value(struct reader *reader, const char *key)
{
    struct json *value = ARENA_NEW(reader->arena, struct json);
    size_t size;

    skip(reader);
    value->key = key;
    switch (*reader->at) {
    case '{':
        value->kind = JSON_OBJECT;
        return read_items(reader, value, '}');
    case '[':
        value->kind = JSON_LIST;
        return read_items(reader, value, ']');
    case '"':
        value->kind = JSON_STRING;
        value->text = read_string(reader);
        return value->text ? value : NULL;
    default:
        size = strspn(reader->at, "+-.0123456789abcdefghijklmnopqrstuvwxyzE");
        value->text = arena_copy_n(reader->arena, reader->at, size);
        reader->at += size;
        return size ? value : NULL;
    }
}

const struct json *json_parse(struct arena *arena, const char *text)
{
    struct reader reader = {arena, text, 0};

    return read_value(&reader, NULL);
}

const struct json *json_member(const struct json *object, const char *key)
{
    for (int k = 0; object && object->kind == JSON_OBJECT && k < object->n; k++)
        if (strcmp(object->item[k]->key, key) == 0)
            return object->item[k];
    return NULL;
}

const char *json_text(const struct json *object, const char *key)
{
    const struct json *member = json_member(object, key);

    return member && member->text ? member->text : "";
}

double json_number(const struct json *object, const char *key)
{
    return strtod(json_text(object, key), NULL);
}

const struct json *json_with_item(struct arena *arena, const struct json *value, int at, const struct json *item)
{
    struct json *made = ARENA_NEW(arena, struct json);
    VEC(const struct json *) items = {0};

    for (int k = 0; k < value->n; k++)
        if (k != at || item)
            VEC_PUSH(arena, &items, k == at ? item : value->item[k]);
    if (at == value->n && item)
        VEC_PUSH(arena, &items, item);
    *made = *value;
    made->item = items.at;
    made->n = items.n;
    return made;
}

void json_print(struct text *out, const struct json *value)
{
    const bool is_object = value->kind == JSON_OBJECT;

    if (value->kind == JSON_WORD) {
        text_add(out, value->text);
        return;
    }
    if (value->kind == JSON_STRING) {
        json_string(out, value->text);
        return;
    }
    text_char(out, is_object ? '{' : '[');
    for (int k = 0; k < value->n; k++) {
        text_add(out, k ? ", " : "");
        if (is_object) {
            json_string(out, value->item[k]->key);
            text_add(out, ": ");
        }
        json_print(out, value->item[k]);
    }
    text_char(out, is_object ? '}' : ']');
}
