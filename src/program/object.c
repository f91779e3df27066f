#include "program/object.h"

#include <string.h>

const char *value_kind_name(enum value_kind kind)
{
    static const char *const names[] = {
        [VALUE_BOOL] = "true or false", [VALUE_INT] = "an integer", [VALUE_REAL] = "another number",
        [VALUE_STRING] = "a string",    [VALUE_LIST] = "a list",    [VALUE_OBJECT] = "an object",
    };

    return names[kind];
}

const struct value *value_member(const struct value *object, const char *key)
{
    if (!object || object->kind != VALUE_OBJECT)
        return NULL;
    for (int k = 0; k < object->n_item; k++)
        if (strcmp(object->key[k], key) == 0)
            return &object->item[k];
    return NULL;
}

const struct value *value_of_kind(const struct value *object, const char *key, enum value_kind kind)
{
    const struct value *value = value_member(object, key);

    return value && value->kind == kind ? value : NULL;
}

const char *const *argument_words(struct arena *arena, const struct argument *argument)
{
    const char *rest = argument->choices;
    const char **words;
    int n = 0;

    if (argument->words)
        return argument->words(arena);
    words = ARENA_ARRAY(arena, strlen(rest) + 1, const char *);
    for (size_t length; *rest; rest += length + strspn(rest + length, " ")) {
        length = strcspn(rest, " ");
        words[n++] = arena_copy_n(arena, rest, length);
    }
    return words;
}

int argument_number(struct arena *arena, const struct argument *argument, const char *word)
{
    const char *const *words = argument_words(arena, argument);

    for (int k = 0; words[k]; k++)
        if (strcmp(words[k], word) == 0)
            return k;
    return -1;
}

const struct argument *find_key(const struct argument *keys, const char *key)
{
    for (; keys->key; keys++)
        if (strcmp(keys->key, key) == 0)
            return keys;
    return NULL;
}

bool argument_takes(const struct argument *argument, const struct value *value)
{
    switch (argument->kind) {
    case ARGUMENT_INT:
        return value->kind == VALUE_INT;
    case ARGUMENT_BOOL:
        return value->kind == VALUE_BOOL;
    case ARGUMENT_NUMBER:
        return value->kind <= VALUE_REAL;
    case ARGUMENT_ANY:
        return true;
    case ARGUMENT_AFFINE:
        return value->kind == VALUE_INT || value->kind == VALUE_STRING;
    case ARGUMENT_STEPS:
        return value->kind == VALUE_LIST || value->kind == VALUE_OBJECT;
    case ARGUMENT_LOOPS:
    case ARGUMENT_INTS:
    case ARGUMENT_NAMES:
    case ARGUMENT_AFFINES:
    case ARGUMENT_NESTS:
    case ARGUMENT_LIST:
        return value->kind == VALUE_LIST;
    case ARGUMENT_OBJECT:
    case ARGUMENT_MEMBERS:
    case ARGUMENT_LOOP_INTS:
    case ARGUMENT_LOOP_NAMES:
    case ARGUMENT_LOOP_CHOICES:
        return value->kind == VALUE_OBJECT;
    case ARGUMENT_LAYOUT:
        return value->kind == VALUE_STRING || value->kind == VALUE_LIST;
    case ARGUMENT_FORMS:
        for (const struct argument *form = argument->form; form->key; form++)
            if (argument_takes(form, value))
                return true;
        return false;
    default:
        return value->kind == VALUE_STRING;
    }
}

static void add_inside(struct arena *arena, const struct object_type *object, object_vec *all);

static void add_of(struct arena *arena, const struct argument *argument, object_vec *all)
{
    if (argument->kind == ARGUMENT_OBJECT)
        add_inside(arena, argument->object, all);
    else if (argument->kind == ARGUMENT_LIST || argument->kind == ARGUMENT_MEMBERS)
        add_of(arena, argument->form, all);
    for (const struct argument *form = argument->form; argument->kind == ARGUMENT_FORMS && form->key; form++)
        add_of(arena, form, all);
}

static void add_inside(struct arena *arena, const struct object_type *object, object_vec *all)
{
    for (int k = 0; k < all->n; k++)
        if (all->at[k] == object)
            return;
    if (object->name)
        VEC_PUSH(arena, all, object);
    for (const struct argument *key = object->key; key->key; key++)
        add_of(arena, key, all);
}

object_vec objects_inside(struct arena *arena, const struct object_type *root)
{
    object_vec all = {0};

    add_inside(arena, root, &all);
    return all;
}
