#include "read/edit/notation.h"

#include "base/json.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* The length of what stands in front of the first separator that is outside of brackets; all of text without one. */
static size_t piece_length(const char *text, char separator)
{
    size_t at = 0;

    for (int depth = 0; text[at] && (depth > 0 || text[at] != separator); at++) {
        depth += strchr("([{", text[at]) != NULL;
        depth -= depth > 0 && strchr(")]}", text[at]);
    }
    return at;
}

static bool has_piece(const char *text, char separator)
{
    return text[piece_length(text, separator)] != '\0';
}

/* Without blanks around; malloc'ed. */
static char *trimmed(const char *text, size_t size)
{
    struct text copy = {0};

    while (size > 0 && strchr(" \t\n", *text)) {
        text++;
        size--;
    }
    while (size > 0 && strchr(" \t\n", text[size - 1]))
        size--;
    text_add_n(&copy, text, size);
    return text_take(&copy);
}

static bool is_integer(const char *text)
{
    text += *text == '-';
    return *text && strspn(text, "0123456789") == strlen(text);
}

static bool is_number(const char *text)
{
    char *end;

    strtod(text, &end);
    return strchr("-0123456789", *text) && end > text && !*end && !strpbrk(text, "xXpPnN");
}

/* A number, true or false stands as it is, anything else becomes a string. */
static void add_scalar(const char *text, struct text *out)
{
    if (is_number(text) || strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
        text_add(out, text);
    else
        json_string(out, text);
}

/* The kinds of what is in a list, and of the values in an object. */
static const struct argument word = {.key = "word", .kind = ARGUMENT_TEXT},
                             affine = {.key = "affine", .kind = ARGUMENT_AFFINE};

static void add_list(const struct argument *form, const char *text, struct text *out)
{
    const char *separator = "";

    text_char(out, '[');
    while (*text) {
        const size_t length = piece_length(text, ',');
        char *item = trimmed(text, length);

        text_add(out, separator);
        notation_json(form, item, out);
        free(item);
        separator = ", ";
        text += length + (text[length] == ',');
    }
    text_char(out, ']');
}

/* "i: 16" as a member, whose value is what form, or the key of object, says. */
static void add_member(const struct argument *form, const struct object_type *object, const char *text, size_t size,
                       struct text *out)
{
    char *member = trimmed(text, size);
    const size_t length = piece_length(member, ':');
    char *key = trimmed(member, length),
         *value = trimmed(member + length + (member[length] == ':'), strlen(member + length + (member[length] == ':')));

    json_string(out, key);
    text_add(out, ": ");
    notation_json(object ? find_key(object->key, key) : form, value, out);
    free(member);
    free(key);
    free(value);
}

static void add_members(const struct argument *form, const struct object_type *object, const char *text,
                        struct text *out)
{
    const char *separator = "";

    text_char(out, '{');
    while (*text) {
        const size_t length = piece_length(text, ',');

        text_add(out, separator);
        add_member(form, object, text, length, out);
        separator = ", ";
        text += length + (text[length] == ',');
    }
    text_char(out, '}');
}

static bool takes(const struct argument *argument, enum value_kind kind)
{
    return argument_takes(argument, &(struct value){.kind = kind});
}

/* The kind of value that text is for a key of several forms. */
static enum value_kind kind_of(const struct argument *argument, const char *text)
{
    if (takes(argument, VALUE_OBJECT) && (*text == '{' || has_piece(text, ':')))
        return VALUE_OBJECT;
    if (takes(argument, VALUE_LIST) && (*text == '[' || has_piece(text, ',')))
        return VALUE_LIST;
    if (is_integer(text) && takes(argument, VALUE_INT))
        return VALUE_INT;
    if ((strcmp(text, "true") == 0 || strcmp(text, "false") == 0) && takes(argument, VALUE_BOOL))
        return VALUE_BOOL;
    if (is_number(text) && takes(argument, VALUE_REAL))
        return VALUE_REAL;
    return takes(argument, VALUE_STRING) || !takes(argument, VALUE_LIST) ? VALUE_STRING : VALUE_LIST;
}

static void add_form(const struct argument *argument, const char *text, struct text *out)
{
    const enum value_kind kind = kind_of(argument, text);
    const struct argument *form = argument->form;

    while (form->key && !takes(form, kind))
        form++;
    if (form->key)
        notation_json(form, text, out);
    else
        json_string(out, text);
}

static bool is_layout_word(const char *text)
{
    return strcmp(text, "row_major") == 0 || strcmp(text, "col_major") == 0;
}

static bool is_bracketed(const struct argument *argument, const char *text)
{
    return (*text == '[' && takes(argument, VALUE_LIST)) || (*text == '{' && takes(argument, VALUE_OBJECT));
}

/* A text with quotes inside is JSON; otherwise its brackets, which may be left out, are taken off. */
static void add_bracketed(const struct argument *argument, const char *text, struct text *out)
{
    const size_t size = strlen(text);
    char *inside;

    if (strchr(text, '"') || size < 3 || !strchr("]}", text[size - 1])) {
        text_add(out, text);
        return;
    }
    inside = trimmed(text + 1, size - 2);
    if (argument->kind != ARGUMENT_ANY)
        notation_json(argument, inside, out);
    else if (*text == '[')
        add_list(argument, inside, out);
    else
        add_members(argument, NULL, inside, out);
    free(inside);
}

void notation_json(const struct argument *argument, const char *text, struct text *out)
{
    static const struct argument any = {.key = "any", .kind = ARGUMENT_ANY};

    argument = argument ? argument : &any;
    if (is_bracketed(argument, text)) {
        add_bracketed(argument, text, out);
        return;
    }
    switch (argument->kind) {
    case ARGUMENT_INT:
    case ARGUMENT_BOOL:
    case ARGUMENT_NUMBER:
    case ARGUMENT_AFFINE:
    case ARGUMENT_ANY:
    case ARGUMENT_STEPS:
        add_scalar(text, out);
        break;
    case ARGUMENT_LOOPS:
    case ARGUMENT_NAMES:
    case ARGUMENT_NESTS:
        add_list(&word, text, out);
        break;
    case ARGUMENT_INTS:
    case ARGUMENT_AFFINES:
        add_list(&affine, text, out);
        break;
    case ARGUMENT_LOOP_INTS:
    case ARGUMENT_LOOP_NAMES:
    case ARGUMENT_LOOP_CHOICES:
        add_members(&affine, NULL, text, out);
        break;
    case ARGUMENT_LAYOUT:
        if (is_layout_word(text))
            json_string(out, text);
        else
            add_list(&word, text, out);
        break;
    case ARGUMENT_LIST:
        add_list(argument->form, text, out);
        break;
    case ARGUMENT_OBJECT:
        add_members(NULL, argument->object, text, out);
        break;
    case ARGUMENT_MEMBERS:
        add_members(argument->form, NULL, text, out);
        break;
    case ARGUMENT_FORMS:
        add_form(argument, text, out);
        break;
    default:
        json_string(out, text);
    }
}
