#include "read/tunables.h"

#include "read/evaluate.h"

#include <string.h>

void tunables_print(struct text *out, const struct value *value)
{
    switch (value->kind) {
    case VALUE_BOOL:
        text_add(out, value->integer ? "true" : "false");
        return;
    case VALUE_INT:
        text_addf(out, "%lld", (long long)value->integer);
        return;
    case VALUE_STRING:
        text_add(out, value->string);
        return;
    case VALUE_REAL:
        text_add_n(out, value->place.source->text + value->place.offset, value->place.length);
        return;
    default:
        text_char(out, value->kind == VALUE_LIST ? '[' : '{');
        for (int k = 0; k < value->n_item; k++) {
            text_addf(out, k ? "," : "");
            if (value->kind == VALUE_OBJECT)
                text_addf(out, "%s:", value->key[k]);
            tunables_print(out, &value->item[k]);
        }
        text_char(out, value->kind == VALUE_LIST ? ']' : '}');
    }
}

/* The text of value; of the arena. */
static const char *text_of(struct reader *reader, const struct value *value)
{
    struct text text = {0};
    const char *copy;

    tunables_print(&text, value);
    copy = arena_copy(reader->arena, text_str(&text));
    text_free(&text);
    return copy;
}

/* "16, 32" */
static const char *values_text(struct reader *reader, const struct value *list)
{
    const char *text = "";

    for (int k = 0; k < list->n_item; k++)
        text = arena_printf(reader->arena, "%s%s%s", text, k ? ", " : "", text_of(reader, &list->item[k]));
    return text;
}

/* A list of values, or an object of that and a condition. */
static bool read_values(struct reader *reader, const struct value *value, struct tunable *tunable)
{
    static const char *const keys[] = {"values", "when", NULL};

    tunable->values = value;
    if (value->kind == VALUE_OBJECT) {
        check_keys(reader, value, keys, "a tunable");
        tunable->values = member(reader, value, "values", VALUE_LIST, true);
        tunable->when = member(reader, value, "when", VALUE_STRING, false);
    } else if (!check_kind(reader, value, VALUE_LIST, "a tunable")) {
        return false;
    }
    if (tunable->values && tunable->values->n_item == 0)
        diag_error(reader->diags, "tunable", tunable->values->place, "`%s` has no value to choose from", tunable->name);
    return tunable->values && tunable->values->n_item > 0;
}

void tunables_read(struct reader *reader, const struct value *root, struct tunables *tunables)
{
    const struct value *object = member(reader, root, "tunables", VALUE_OBJECT, false);

    for (int k = 0; object && k < object->n_item; k++) {
        struct tunable tunable = {.name = object->key[k], .place = object->key_place[k]};

        if (!check_name(reader, tunable.name, tunable.place, "a tunable") ||
            !read_values(reader, &object->item[k], &tunable))
            continue;
        tunable.chosen = &tunable.values->item[0];
        VEC_PUSH(reader->arena, &tunables->list, tunable);
    }
    tunables->name = ARENA_ARRAY(reader->arena, tunables->list.n, const char *);
    for (int k = 0; k < tunables->list.n; k++)
        tunables->name[k] = tunables->list.at[k].name;
}

static struct tunable *find(struct reader *reader, const struct tunables *tunables, const char *name,
                            struct place place)
{
    for (int k = 0; k < tunables->list.n; k++)
        if (strcmp(tunables->name[k], name) == 0)
            return &tunables->list.at[k];
    suggest(reader, diag_error(reader->diags, "tunable", place, "there is no tunable `%s`", name), name, tunables->name,
            tunables->list.n);
    return NULL;
}

bool tunables_choose(struct reader *reader, struct tunables *tunables, const char *name, const struct value *wanted,
                     struct place place)
{
    struct tunable *tunable = find(reader, tunables, name, place);
    const char *text = text_of(reader, wanted);
    struct diag *diag;

    if (!tunable)
        return false;
    for (int k = 0; k < tunable->values->n_item; k++)
        if (strcmp(text_of(reader, &tunable->values->item[k]), text) == 0) {
            tunable->chosen = &tunable->values->item[k];
            return true;
        }
    diag = diag_error(reader->diags, "tunable", place, "%s is no value of the tunable `%s`", text, name);
    diag_hint(reader->diags, diag, "its values are %s", values_text(reader, tunable->values));
    return false;
}

/* "lanes = 8, rows = 6" */
static const char *chosen_text(struct reader *reader, const struct tunables *tunables)
{
    struct text text = {0};
    const char *copy;

    for (int k = 0; k < tunables->list.n; k++) {
        text_addf(&text, "%s%s = ", k ? ", " : "", tunables->name[k]);
        tunables_print(&text, tunables->list.at[k].chosen);
    }
    copy = arena_copy(reader->arena, text_str(&text));
    text_free(&text);
    return copy;
}

/* The number that a text, a condition or a value, has with the chosen values. */
static bool evaluate(struct reader *reader, const struct tunables *tunables, const struct value *text, bool condition,
                     int64_t *result)
{
    const struct scope scope = {.program = reader->program, .loop = tunables->name, .n_loop = tunables->list.n};
    const struct reading reading = {reader->arena, reader->diags, &scope};
    const struct expr *expr = condition ? parse_condition(&reading, text) : parse_value(&reading, text);
    const struct value **chosen = ARENA_ARRAY(reader->arena, tunables->list.n, const struct value *);

    for (int k = 0; k < tunables->list.n; k++)
        chosen[k] = tunables->list.at[k].chosen;
    return expr && evaluate_integer(reader->diags, expr, chosen, result);
}

bool tunables_agree(struct reader *reader, const struct tunables *tunables)
{
    bool good = true;
    int64_t holds = 0;

    for (int k = 0; k < tunables->list.n; k++) {
        const struct value *when = tunables->list.at[k].when;

        if (!when)
            continue;
        if (!evaluate(reader, tunables, when, true, &holds)) {
            good = false;
        } else if (!holds) {
            diag_error(reader->diags, "tunable", when->place, "this does not hold with %s",
                       chosen_text(reader, tunables));
            good = false;
        }
    }
    return good;
}

/* "$(rows * 4)" */
static struct value replace_expression(struct reader *reader, const struct tunables *tunables,
                                       const struct value *string)
{
    const size_t size = strlen(string->string);
    struct value inner = *string, result = {.kind = VALUE_INT, .place = string->place};

    if (string->string[size - 1] != ')') {
        diag_error(reader->diags, "tunable", string->place, "`$(` is not closed: \"$(tile * 4)\" is a value");
        return *string;
    }
    inner.string = arena_copy_n(reader->arena, string->string + 2, size - 3);
    if (string->place.length == size)
        inner.place = place_part(string->place, 2, size - 3);
    evaluate(reader, tunables, &inner, false, &result.integer);
    return result;
}

/* "$tile". What a message points at is the place where it is used, but for texts, which have places inside. */
static struct value replace_string(struct reader *reader, const struct tunables *tunables, const struct value *string)
{
    const struct tunable *tunable;
    struct value result;

    if (string->string[0] != '$')
        return *string;
    if (string->string[1] == '(')
        return replace_expression(reader, tunables, string);
    tunable = find(reader, tunables, string->string + 1, string->place);
    if (!tunable)
        return *string;
    result = *tunable->chosen;
    if (result.kind == VALUE_BOOL || result.kind == VALUE_INT)
        result.place = string->place;
    return result;
}

struct value tunables_replace(struct reader *reader, const struct tunables *tunables, const struct value *value)
{
    struct value result = *value;

    if (value->kind == VALUE_STRING)
        return replace_string(reader, tunables, value);
    if (value->n_item)
        result.item = ARENA_ARRAY(reader->arena, value->n_item, struct value);
    for (int k = 0; k < value->n_item; k++)
        result.item[k] = tunables_replace(reader, tunables, &value->item[k]);
    return result;
}
