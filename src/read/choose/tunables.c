#include "read/choose/tunables.h"

#include "base/names.h"
#include "read/choose/arith.h"
#include "read/json.h"

#include <inttypes.h>
#include <string.h>

/* Of values, and characters of the conditions on these. */
enum { MOST_COMBINATIONS = 100000, MOST_CHARACTERS = 16000000 };

static const struct argument form_values[] = {{.key = "a value", .kind = ARGUMENT_ANY}};
static const struct argument keys[] = {
    {.key = "values",
     .kind = ARGUMENT_LIST,
     .form = form_values,
     .required = true,
     .doc = "what to choose from, the default first"},
    {.key = "when", .kind = ARGUMENT_CONDITION, .doc = "what must hold of the chosen values, of other tunables, too"},
    {0},
};
const struct object_type object_tunable = {.name = "tunable",
                                           .title = "a tunable",
                                           .rule = "Values that callers choose from. A list alone has no condition.",
                                           .key = keys};

static bool read_tunable(struct tunables *tunables, const char *name, struct place place, const struct value *value)
{
    struct reader *reader = tunables->reader;
    struct tunable tunable = {.name = name, .place = place, .values = value};

    if (value->kind == VALUE_OBJECT) {
        if (!read_sound(reader, &object_tunable, value, &tunable))
            return false;
        tunable.values = value_of_kind(value, "values", VALUE_LIST);
        tunable.when = value_of_kind(value, "when", VALUE_STRING);
    } else if (!check_kind(reader, value, VALUE_LIST, "a tunable")) {
        return false;
    }
    if (!name_is_identifier(name) || tunable.values->n_item == 0) {
        diag_error(reader->diags, "tunable", tunable.values->n_item ? place : value->place,
                   tunable.values->n_item ? "\"%s\" cannot name a tunable: names are letters, digits and _"
                                          : "the tunable \"%s\" has no values",
                   name);
        return false;
    }
    VEC_PUSH(reader->arena, &tunables->list, tunable);
    return true;
}

bool tunables_read(struct tunables *tunables, const struct value *root)
{
    const struct value *object = value_member(root, "tunables");
    bool good = true;

    if (object && !check_kind(tunables->reader, object, VALUE_OBJECT, "\"tunables\""))
        return false;
    for (int k = 0; object && k < object->n_item; k++)
        good &= read_tunable(tunables, object->key[k], object->key_place[k], &object->item[k]);
    return good;
}

static struct tunable *find(struct tunables *tunables, const char *name, size_t length, struct place place)
{
    struct reader *reader = tunables->reader;
    const char **names;

    for (int k = 0; k < tunables->list.n; k++)
        if (strncmp(tunables->list.at[k].name, name, length) == 0 && tunables->list.at[k].name[length] == '\0')
            return &tunables->list.at[k];
    names = ARENA_ARRAY(reader->arena, tunables->list.n, const char *);
    for (int k = 0; k < tunables->list.n; k++)
        names[k] = tunables->list.at[k].name;
    name = arena_printf(reader->arena, "%.*s", (int)length, name);
    suggest_all(reader, diag_error(reader->diags, "unknown-name", place, "there is no tunable `%s`", name), name, names,
                tunables->list.n);
    return NULL;
}

static bool same(const struct value *a, const struct value *b)
{
    if (a->kind != b->kind || a->n_item != b->n_item)
        return false;
    for (int k = 0; k < a->n_item; k++)
        if ((a->kind == VALUE_OBJECT && strcmp(a->key[k], b->key[k]) != 0) || !same(&a->item[k], &b->item[k]))
            return false;
    if (a->kind == VALUE_REAL)
        return a->place.length == b->place.length &&
               memcmp(a->place.source->text + a->place.offset, b->place.source->text + b->place.offset,
                      a->place.length) == 0;
    return a->kind == VALUE_STRING ? strcmp(a->string, b->string) == 0 : a->integer == b->integer;
}

/* As the description would have it, without the quotes of words. */
static void print_value(struct text *out, const struct value *value)
{
    switch (value->kind) {
    case VALUE_LIST:
        text_char(out, '[');
        for (int k = 0; k < value->n_item; k++) {
            text_add(out, k ? ", " : "");
            print_value(out, &value->item[k]);
        }
        text_char(out, ']');
        break;
    case VALUE_STRING:
        text_add(out, value->string);
        break;
    default:
        text_add_n(out, value->place.source->text + value->place.offset, value->place.length);
    }
}

/* Whether text is the value as it is told, in lists but for blanks: [i, j] or 32. */
static bool is_told(const struct value *value, const char *text)
{
    const char *blanks = value->kind == VALUE_LIST ? " " : "";
    struct text told = {0};
    const char *at;
    bool same_text;

    print_value(&told, value);
    at = text_str(&told);
    for (;; at++, text++) {
        at += strspn(at, blanks);
        text += strspn(text, blanks);
        if (!*at || *at != *text)
            break;
    }
    same_text = *at == *text;
    text_free(&told);
    return same_text;
}

static bool give(struct tunables *tunables, const char *name, struct place place, const struct value *value,
                 const char *text)
{
    struct tunable *tunable = find(tunables, name, strlen(name), place);
    struct text values = {0};

    if (!tunable)
        return false;
    tunable->given = true;
    for (int k = 0; k < tunable->values->n_item; k++) {
        const struct value *item = &tunable->values->item[k];

        tunable->chosen = k;
        if ((value && same(item, value)) || (text && is_told(item, text)))
            return true;
    }
    print_value(&values, tunable->values);
    diag_hint(tunables->reader->diags,
              diag_error(tunables->reader->diags, "tunable", place, "`%s` has no such value", name),
              "its values are %s", text_str(&values));
    text_free(&values);
    return false;
}

void tunables_reset(struct tunables *tunables)
{
    for (int k = 0; k < tunables->list.n; k++) {
        tunables->list.at[k].chosen = 0;
        tunables->list.at[k].given = false;
    }
}

bool tunables_set(struct tunables *tunables, const struct value *set)
{
    bool good = true;

    for (int k = 0; set && k < set->n_item; k++)
        good &= give(tunables, set->key[k], set->key_place[k], &set->item[k], NULL);
    return good;
}

bool tunables_set_text(struct tunables *tunables, const struct setting *setting)
{
    struct arena *arena = tunables->reader->arena;
    struct source *source = ARENA_NEW(arena, struct source);
    const char *text = arena_printf(arena, "%s=%s", setting->name, setting->text);
    const struct place place = {source, 0, strlen(text)};
    struct source *value = ARENA_NEW(arena, struct source);

    *source = (struct source){"--set", text, strlen(text)};
    *value = (struct source){"--set", setting->text, strlen(setting->text)};
    return give(tunables, setting->name, place, json_read(arena, value, diags_new(arena)), setting->text);
}

/* What a name stands for in arithmetic. */
static bool integer_named(void *user, const char *name, size_t length, struct place place, int64_t *value)
{
    struct tunables *tunables = user;
    const struct tunable *tunable = find(tunables, name, length, place);
    const struct value *chosen = tunable ? &tunable->values->item[tunable->chosen] : NULL;

    if (!chosen)
        return false;
    *value = chosen->integer;
    return check_kind(tunables->reader, chosen, VALUE_INT, "what is computed with");
}

/* Do all conditions hold? False in *good after a fault. */
static bool all_hold(struct tunables *tunables, const struct tunable **broken, bool *good)
{
    int64_t value;

    for (int k = 0; k < tunables->list.n; k++) {
        const struct tunable *tunable = &tunables->list.at[k];

        if (!tunable->when)
            continue;
        *broken = tunable;
        tunables->looked_at += strlen(tunable->when->string);
        *good = arith_value(tunables->reader, tunable->when, 0, strlen(tunable->when->string), integer_named, tunables,
                            &value);
        if (!*good || !value)
            return false;
    }
    return true;
}

/* The next combination of those that nobody gave, the last one's values first; false: there is none. */
static bool advance(struct tunables *tunables)
{
    for (int k = tunables->list.n - 1; k >= 0; k--) {
        struct tunable *tunable = &tunables->list.at[k];

        if (tunable->given)
            continue;
        if (++tunable->chosen < tunable->values->n_item)
            return true;
        tunable->chosen = 0;
    }
    return false;
}

static bool any_given(const struct tunables *tunables)
{
    for (int k = 0; k < tunables->list.n; k++)
        if (tunables->list.at[k].given)
            return true;
    return false;
}

/* No values were found that meet all conditions; more: not all were tried. */
static void report_broken(struct tunables *tunables, const struct tunable *broken, bool more)
{
    struct diags *diags = tunables->reader->diags;
    const struct place place = broken->when->place;

    if (!more && !any_given(tunables))
        diag_error(diags, "tunable", place, "no values meet all conditions: not this one of `%s`", broken->name);
    else
        diag_hint(diags,
                  diag_error(diags, "tunable", place, "the values chosen do not meet this condition of `%s`",
                             broken->name),
                  more ? "give values to some tunables by --set" : "no values of the other tunables meet it, either");
}

bool tunables_settle(struct tunables *tunables)
{
    const struct tunable *broken = NULL;
    bool good = true, more = true;

    for (int n = 0; more && n < MOST_COMBINATIONS && tunables->looked_at < MOST_CHARACTERS; n++) {
        if (all_hold(tunables, &broken, &good))
            return true;
        if (!good)
            return false;
        more = advance(tunables);
    }
    report_broken(tunables, broken, more);
    return false;
}

const char *tunables_text(const struct tunables *tunables)
{
    struct text out = {0};
    const char *result = NULL;

    for (int k = 0; k < tunables->list.n; k++) {
        const struct tunable *tunable = &tunables->list.at[k];

        text_addf(&out, "%s%s = ", k ? ", " : "", tunable->name);
        print_value(&out, &tunable->values->item[tunable->chosen]);
    }
    if (out.size)
        result = arena_copy(tunables->reader->arena, text_str(&out));
    text_free(&out);
    return result;
}

/* Reports what stands behind `$`. */
static bool no_name(struct reader *reader, struct place place, const char *text)
{
    const bool open = *text == '(';
    struct diag *diag = open ? diag_error(reader->diags, "tunable", place, "`$(` has no `)` at the end of this text")
                             : diag_error(reader->diags, "tunable", place,
                                          "`%s` cannot name a tunable: names are letters, digits and _", text);

    if (!open)
        diag_hint(reader->diags, diag, "arithmetic stands in parentheses: \"$(%s)\"", text);
    return false;
}

static bool replace(struct tunables *tunables, struct value *value)
{
    const char *name = value->string + 1;
    const size_t length = strlen(name);
    const struct place place = value->place;
    const struct tunable *tunable;

    if (*name == '(' && name[length - 1] == ')') {
        const struct value string = *value;

        value->kind = VALUE_INT;
        return arith_value(tunables->reader, &string, 2, length - 2, integer_named, tunables, &value->integer);
    }
    if (*name && !name_is_identifier(name))
        return no_name(tunables->reader, place, name);
    tunable = find(tunables, name, length, place);
    if (!tunable)
        return false;
    *value = tunable->values->item[tunable->chosen];
    if (value->kind == VALUE_INT || value->kind == VALUE_BOOL)
        value->place = place;
    return true;
}

bool tunables_apply(struct tunables *tunables, struct value *value)
{
    bool good = true;

    if (value->kind == VALUE_STRING && *value->string == '$')
        return replace(tunables, value);
    for (int k = 0; k < value->n_item; k++)
        good &= tunables_apply(tunables, &value->item[k]);
    return good;
}

/* Is a string of the source, without its quotes, all that place points to? */
static bool is_whole_string(struct place place)
{
    const char *text = place.source ? place.source->text : NULL;

    return text && place.offset > 0 && place.offset + place.length < place.source->size &&
           text[place.offset - 1] == '"' && text[place.offset + place.length] == '"';
}

void tunables_hint(struct reader *reader, const struct value *root, int first)
{
    const struct value *object = value_member(root, "tunables");

    for (int k = first; k < reader->diags->list.n; k++) {
        struct diag *diag = reader->diags->list.at[k];
        const bool told = diag->hint && strcmp(diag->rule, "tunable") == 0;

        if (told || !object || !is_whole_string(diag->place))
            continue;
        const char *word =
            arena_copy_n(reader->arena, diag->place.source->text + diag->place.offset, diag->place.length);
        if (value_member(object, word))
            diag_hint(reader->diags, diag, "the value of the tunable `%s` is written \"$%s\"", word, word);
    }
}
