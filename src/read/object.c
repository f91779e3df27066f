/* Objects of a description, read by the tables of their keys. */
#include "read/reader.h"

#include "read/read.h"

#include <inttypes.h>
#include <string.h>

/* As hint of diag the objects that have this key. */
static void suggest_object(struct reader *reader, struct diag *diag, const char *key)
{
    const object_vec all = objects_inside(reader->arena, &object_description);
    const char *having = NULL;

    for (int k = 0; k < all.n; k++)
        if (find_key(all.at[k]->key, key))
            having = having ? arena_printf(reader->arena, "%s, or of %s", having, all.at[k]->title) : all.at[k]->title;
    if (having)
        diag_hint(reader->diags, diag, "it is a key of %s", having);
}

void unknown_key(struct reader *reader, const struct value *value, int k, const struct argument *keys, const char *what)
{
    VEC(const char *) known = {0};
    struct diag *diag =
        diag_error(reader->diags, "unknown-key", value->key_place[k], "%s has no key \"%s\"", what, value->key[k]);

    for (; keys->key; keys++)
        VEC_PUSH(reader->arena, &known, keys->key);
    suggest(reader, diag, value->key[k], known.at, known.n);
    if (!diag->hint)
        suggest_object(reader, diag, value->key[k]);
}

/* "a string, a list or an object" */
static const char *kinds_taken(struct arena *arena, const struct argument *argument)
{
    const char *taken = NULL, *last = NULL;

    for (int kind = VALUE_BOOL; kind <= VALUE_OBJECT; kind++) {
        const struct value value = {.kind = (enum value_kind)kind};

        if (kind == VALUE_REAL || !argument_takes(argument, &value))
            continue;
        taken = taken ? arena_printf(arena, "%s, %s", taken, last) : last;
        last = value_kind_name(value.kind);
    }
    return taken ? arena_printf(arena, "%s or %s", taken, last) : last;
}

/* A key is quoted, the words that stand for a form are not. */
static const char *title(struct arena *arena, const struct argument *argument)
{
    return strchr(argument->key, ' ') ? argument->key : arena_printf(arena, "\"%s\"", argument->key);
}

static bool check_form(struct reader *reader, const struct argument *argument, const struct value *value)
{
    const char *what = title(reader->arena, argument);

    if (argument->kind == ARGUMENT_INT)
        return check_kind(reader, value, VALUE_INT, what);
    if (argument_takes(argument, value))
        return true;
    suggest_shape(reader, argument, value,
                  diag_error(reader->diags, "kind", value->place, "%s must be %s, this is %s", what,
                             kinds_taken(reader->arena, argument), value_kind_name(value->kind)));
    return false;
}

static bool check_range(struct reader *reader, const struct argument *argument, const struct value *value)
{
    const char *what = title(reader->arena, argument);

    if (argument->choices)
        return true;
    if (value->integer >= argument->minimum && (!argument->maximum || value->integer <= argument->maximum))
        return true;
    if (argument->maximum)
        diag_error(reader->diags, "range", value->place, "%s must be from %" PRId64 " to %" PRId64, what,
                   argument->minimum, argument->maximum);
    else
        diag_error(reader->diags, "range", value->place, "%s must be at least %" PRId64, what, argument->minimum);
    return false;
}

/* What stands in objects is for those who read them. */
static bool check_member(struct reader *reader, const struct argument *argument, const struct value *value)
{
    const struct argument *form = argument->form;
    bool good = check_form(reader, argument, value);

    switch (good ? argument->kind : ARGUMENT_ANY) {
    case ARGUMENT_INT:
        return check_range(reader, argument, value);
    case ARGUMENT_CHOICE:
        return choose(reader, value, argument_words(reader->arena, argument), argument->key) >= 0;
    case ARGUMENT_FORMS:
        while (!argument_takes(form, value))
            form++;
        return check_member(reader, form, value);
    case ARGUMENT_LIST:
    case ARGUMENT_MEMBERS:
        for (int k = 0; k < value->n_item; k++)
            good &= check_member(reader, form, &value->item[k]);
        return good;
    default:
        return good;
    }
}

static bool read_member(struct reader *reader, const struct argument *key, const struct value *value, void *into,
                        bool read)
{
    const int errors = reader->diags->errors;
    const bool good = check_member(reader, key, value);

    if (good && key->read && read)
        key->read(reader, value, into);
    if (!good && key->declares)
        reader->undeclared = reader->unread = true;
    return reader->diags->errors == errors;
}

void missing_key(struct reader *reader, const struct value *value, const char *key)
{
    struct place place = value->place;

    place.length = place.length > 1 ? 1 : place.length;
    diag_error(reader->diags, "missing-key", place, "the key \"%s\" is missing here", key);
}

void check_keys(struct reader *reader, const struct object_type *object, const struct value *value)
{
    for (int k = 0; k < value->n_item; k++)
        if (!find_key(object->key, value->key[k]))
            unknown_key(reader, value, k, object->key, object->title);
}

bool read_members(struct reader *reader, const struct object_type *object, const struct value *value, void *into)
{
    bool good = true;

    for (const struct argument *key = object->key; key->key; key++) {
        const struct value *member = value_member(value, key->key);
        const bool read = member && read_member(reader, key, member, into, good || object->each);

        if (!member && key->required)
            missing_key(reader, value, key->key);
        good = good && (read || !key->required);
    }
    return good;
}

bool read_object(struct reader *reader, const struct object_type *object, const struct value *value, void *into)
{
    if (!check_kind(reader, value, VALUE_OBJECT, object->title))
        return false;
    check_keys(reader, object, value);
    return read_members(reader, object, value, into);
}

bool read_sound(struct reader *reader, const struct object_type *object, const struct value *value, void *into)
{
    int errors;

    if (!check_kind(reader, value, VALUE_OBJECT, object->title))
        return false;
    check_keys(reader, object, value);
    errors = reader->diags->errors;
    return read_members(reader, object, value, into) && reader->diags->errors == errors;
}
