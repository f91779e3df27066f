#include "base/template.h"

#include "base/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPERANDS = 4 };

struct piece {
    const char *text;
    size_t size;
};

/* Where values come from, and where they go. */
struct filling {
    const struct template_value *const *lists;
    int n;
    struct text out;
};

static int compare_names(const void *name, const void *file)
{
    return strcmp(name, ((const struct template_file *)file)->name);
}

const char *template_named(const char *name)
{
    const struct template_file *file =
        bsearch(name, template_files, (size_t)template_n_file, sizeof(*file), compare_names);

    return file ? file->text : "";
}

static const char *value_of(const struct filling *filling, struct piece name)
{
    for (int k = 0; k < filling->n; k++)
        for (const struct template_value *value = filling->lists[k]; value && value->name; value++)
            if (strlen(value->name) == name.size && memcmp(value->name, name.text, name.size) == 0)
                return value->value;
    return NULL;
}

/* The text of "math/exp_round". */
static const char *included(struct piece name)
{
    char copy[64] = "";

    if (name.size >= sizeof(copy) || !memchr(name.text, '/', name.size))
        return NULL;
    memcpy(copy, name.text, name.size);
    return template_named(copy);
}

/* Returns the value for the name between this @ and the next one; NULL: this is no placeholder. */
static const char *placeholder(const struct filling *filling, struct piece at, struct piece *name)
{
    const char *end = at.size > 1 ? memchr(at.text + 1, '@', at.size - 1) : NULL;

    if (!end)
        return NULL;
    *name = (struct piece){at.text + 1, (size_t)(end - at.text - 1)};
    const char *value = value_of(filling, *name);
    return value ? value : included(*name);
}

/* An operand: up to the comma or the parenthesis after it. */
static struct piece operand_at(const char *text)
{
    size_t size = 0;
    int depth = 0;

    text += strspn(text, " \n");
    for (; text[size] && (depth > 0 || !strchr(",)", text[size])); size++)
        depth += (strchr("({[", text[size]) != NULL) - (strchr(")}]", text[size]) != NULL);
    return (struct piece){text, size};
}

static void fill(struct filling *filling, struct piece text);

/* An operation and its operands, which start at text; returns the end of the latter. */
static const char *fill_operation(struct filling *filling, const char *operation, const char *text)
{
    struct piece operand[MOST_OPERANDS] = {{0}};

    for (int k = 0; k < MOST_OPERANDS; k++) {
        operand[k] = operand_at(text);
        text = operand[k].text + operand[k].size;
        if (*text != ',')
            break;
        text++;
    }
    for (const char *c = operation; *c; c++) {
        const bool is_operand = c[0] == '{' && c[1] >= 'a' && c[1] < 'a' + MOST_OPERANDS && c[2] == '}';
        if (is_operand)
            fill(filling, operand[c[1] - 'a']);
        else
            text_char(&filling->out, *c);
        c += is_operand ? 2 : 0;
    }
    return *text ? text + 1 : text;
}

static void fill(struct filling *filling, struct piece text)
{
    const char *c = text.text, *end = c + text.size;
    struct piece name;

    while (c < end) {
        const char *value = *c == '@' ? placeholder(filling, (struct piece){c, (size_t)(end - c)}, &name) : NULL;
        if (!value) {
            text_char(&filling->out, *c++);
            continue;
        }
        const bool starts = c == text.text || c[-1] == '\n';
        c = name.text + name.size + 1;
        if (*c == '(' && strstr(value, "{a}")) {
            c = fill_operation(filling, value, c + 1);
            continue;
        }
        const size_t before = filling->out.size;
        fill(filling, (struct piece){value, strlen(value)});
        const bool is_line = filling->out.size > before && filling->out.data[filling->out.size - 1] != '\n';
        c += starts && *c == '\n' && !is_line;
    }
}

const char *template_operation(struct arena *arena, const char *value, const char *const *operand, int n)
{
    struct text out = {0};

    for (const char *c = value; *c; c++) {
        const bool is_operand = c[0] == '{' && c[1] >= 'a' && c[1] < 'a' + n && c[2] == '}';
        if (is_operand)
            text_add(&out, operand[c[1] - 'a']);
        else
            text_char(&out, *c);
        c += is_operand ? 2 : 0;
    }
    value = arena_copy(arena, text_str(&out));
    text_free(&out);
    return value;
}

const char *template_filled(struct arena *arena, const char *name, const struct template_value *const *lists, int n)
{
    struct filling filling = {.lists = lists, .n = n};
    const char *text = template_named(name);

    fill(&filling, (struct piece){text, strlen(text)});
    text = arena_copy(arena, text_str(&filling.out));
    text_free(&filling.out);
    return text;
}
