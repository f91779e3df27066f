/* Descriptions that are made by calls. A call puts its part into the text, which stays formatted: what messages and
 * places are about is what polynest_description returns. */
#include "api/editing.h"
#include "base/json.h"
#include "base/names.h"
#include "read/edit/notation.h"
#include "read/format/format.h"
#include "read/read.h"

#include <string.h>

polynest *polynest_describe(const char *name)
{
    struct text text = {0};
    polynest *p;

    text_add(&text, "{\n  \"polynest\": 1,\n  \"name\": ");
    json_string(&text, name);
    text_add(&text, "\n}\n");
    p = polynest_new(name, text_str(&text), text.size);
    text_free(&text);
    return p;
}

static const struct object_type *object_of(const struct argument *argument, const struct value *item);

/* Of several kinds of objects that whose mark the item has; without an item the one without a mark. */
static const struct object_type *object_among(const struct argument *form, const struct value *item)
{
    const struct object_type *found = NULL;

    for (; form->key && !found; form++) {
        const struct object_type *object = object_of(form, item);

        if (object && (!object->mark || value_member(item, object->mark)))
            found = object;
    }
    return found;
}

/* The kind of object that argument describes, or that is in the list of it; NULL: none. */
static const struct object_type *object_of(const struct argument *argument, const struct value *item)
{
    switch (argument->kind) {
    case ARGUMENT_OBJECT:
        return argument->object;
    case ARGUMENT_LIST:
        return object_of(argument->form, item);
    case ARGUMENT_FORMS:
        return object_among(argument->form, item);
    default:
        return NULL;
    }
}

static const struct argument *keys_of(const struct argument *keys, const char *key)
{
    return object_of(find_key(keys, key), NULL)->key;
}

/* Adds "key": value, of an object with these keys; nothing where the value is NULL. */
static void add_key(struct text *out, const struct argument *keys, const char *key, const char *value)
{
    if (!value)
        return;
    text_add(out, out->size ? ", " : "{");
    json_string(out, key);
    text_add(out, ": ");
    notation_json(find_key(keys, key), value, out);
}

/* The text becomes that of the description, formatted. */
static void accept_formatted(struct editing *editing, const char *text)
{
    struct source *source = ARENA_NEW(editing->arena, struct source);
    struct text formatted = {0};

    *source = (struct source){editing->edited.source->name, text, strlen(text)};
    if (format_source(editing->arena, source, editing->diags, &formatted))
        editing_accept(editing, arena_copy(editing->arena, text_str(&formatted)));
    text_free(&formatted);
}

/* An item, whose text is freed, for a list of the description. */
static polynest_status add_item(polynest *p, const char *list, struct text *item)
{
    struct editing editing;

    if (editing_begin(&editing, p, false))
        accept_formatted(&editing, insert_into(&editing.edited, editing.edited.root, object_description.key, list,
                                               text_str(item)));
    text_free(item);
    return editing_end(&editing);
}

polynest_status polynest_add_param(polynest *p, const char *name, const char *type)
{
    const struct argument *keys = keys_of(object_description.key, "params");
    struct text item = {0};

    if (!type) {
        json_string(&item, name);
        return add_item(p, "params", &item);
    }
    add_key(&item, keys, "name", name);
    add_key(&item, keys, "type", type);
    text_char(&item, '}');
    return add_item(p, "params", &item);
}

polynest_status polynest_assume(polynest *p, const char *condition)
{
    struct text item = {0};

    json_string(&item, condition);
    return add_item(p, "assume", &item);
}

polynest_status polynest_add_scalar(polynest *p, const char *name, const char *type)
{
    const struct argument *keys = keys_of(object_description.key, "scalars");
    struct text item = {0};

    add_key(&item, keys, "name", name);
    add_key(&item, keys, "type", type);
    text_char(&item, '}');
    return add_item(p, "scalars", &item);
}

polynest_status polynest_add_array(polynest *p, const char *name, const char *role, const char *type, const char *shape)
{
    const struct argument *keys = keys_of(object_description.key, "arrays");
    struct text item = {0};

    add_key(&item, keys, "name", name);
    add_key(&item, keys, "role", role);
    add_key(&item, keys, "type", type);
    add_key(&item, keys, "shape", shape);
    text_char(&item, '}');
    return add_item(p, "arrays", &item);
}

/* What is open: the last nest, then the last block of each body; NULL after reporting that it is gone. */
static const struct value *find_open(const struct editing *editing)
{
    const struct value *list = value_of_kind(editing->edited.root, "nests", VALUE_LIST), *object = NULL;

    for (int depth = 0; depth < editing->p->open; depth++) {
        object = list && list->n_item ? &list->item[list->n_item - 1] : NULL;
        list = value_of_kind(object, "body", VALUE_LIST);
    }
    if (object && object->kind == VALUE_OBJECT)
        return object;
    diag_error(editing->diags, "call", PLACE_NONE, "what was begun is no more in the description");
    return NULL;
}

static const struct argument *open_keys(const polynest *p)
{
    const struct argument *nest = keys_of(object_description.key, "nests");

    return p->open == 1 ? nest : keys_of(nest, "body");
}

/* A call that has no meaning here. */
static polynest_status misplaced(polynest *p, const char *what, const char *hint)
{
    struct editing editing;

    editing_begin(&editing, p, false);
    diag_hint(editing.diags, diag_error(editing.diags, "call", PLACE_NONE, "%s", what), "%s", hint);
    editing_end(&editing);
    return POLYNEST_USAGE;
}

polynest_status polynest_begin_nest(polynest *p, const char *name, const char *loops)
{
    const struct argument *keys = keys_of(object_description.key, "nests");
    struct text item = {0};
    polynest_status status;

    if (p->open > 0)
        return misplaced(p, "a nest begins inside of a nest",
                         "polynest_end ends a nest; polynest_begin_block begins "
                         "loops inside of it");
    add_key(&item, keys, "name", name);
    add_key(&item, keys, "loops", loops);
    text_add(&item, item.size ? ", \"body\": []}" : "{\"body\": []}");
    status = add_item(p, "nests", &item);
    p->open = status == POLYNEST_OK;
    return status;
}

/* An item, whose text is freed, for the body of what is open. */
static polynest_status add_inside(polynest *p, struct text *item)
{
    struct editing editing;

    if (editing_begin(&editing, p, false)) {
        const struct value *open = find_open(&editing);

        if (open)
            accept_formatted(&editing, insert_into(&editing.edited, open, open_keys(p), "body", text_str(item)));
    }
    text_free(item);
    return editing_end(&editing);
}

polynest_status polynest_begin_block(polynest *p, const char *loops)
{
    const struct argument *keys = keys_of(keys_of(object_description.key, "nests"), "body");
    struct text item = {0};
    polynest_status status;

    if (p->open == 0)
        return misplaced(p, "a block begins outside of nests", "polynest_begin_nest begins a nest");
    add_key(&item, keys, "loops", loops);
    text_add(&item, item.size ? ", \"body\": []}" : "{\"body\": []}");
    status = add_inside(p, &item);
    p->open += status == POLYNEST_OK;
    return status;
}

polynest_status polynest_add_statement(polynest *p, const char *statement)
{
    struct text item = {0};

    if (p->open == 0)
        return misplaced(p, "a statement is outside of nests", "polynest_begin_nest begins a nest");
    json_string(&item, statement);
    return add_inside(p, &item);
}

polynest_status polynest_end(polynest *p)
{
    if (p->open == 0)
        return misplaced(p, "no nest or block is open", "polynest_begin_nest begins a nest");
    compile_clear(p);
    p->open--;
    return POLYNEST_OK;
}

/* The value of a key of object, which has these keys. */
static void set_member(struct editing *editing, const struct value *object, const struct argument *keys,
                       const char *key, const char *value)
{
    struct text json = {0};

    notation_json(find_key(keys, key), value, &json);
    accept_formatted(editing, insert_member(&editing->edited, object, keys, key, text_str(&json)));
    text_free(&json);
}

/* An object of the description, or a parameter that is a name only, and the keys it may have. */
struct named {
    const char *name;
    const struct value *value; /* NULL: there is none of the name */
    const struct argument *keys;
    VEC(const char *) seen;
};

static void look_in(struct arena *arena, struct named *named, const struct argument *key, const struct value *list)
{
    for (int k = 0; k < list->n_item; k++) {
        const struct value *item = &list->item[k], *name = value_of_kind(item, "name", VALUE_STRING);
        const char *called = name ? name->string : item->kind == VALUE_STRING ? item->string : "";

        VEC_PUSH(arena, &named->seen, called);
        if (!named->value && strcmp(called, named->name) == 0) {
            named->value = item;
            named->keys = object_of(key, item->kind == VALUE_OBJECT ? item : NULL)->key;
        }
    }
}

static struct named find_named(const struct editing *editing, const char *name)
{
    struct named named = {.name = name};

    for (const struct argument *key = object_description.key; key->key; key++) {
        const struct value *list = value_of_kind(editing->edited.root, key->key, VALUE_LIST);

        if (list && object_of(key, NULL))
            look_in(editing->arena, &named, key, list);
    }
    return named;
}

/* A parameter that is a name becomes an object. */
static void set_of_param(struct editing *editing, const struct named *named, const char *key, const char *value)
{
    const struct value *name = named->value;
    const char *text = editing->edited.source->text;
    struct text object = {0};

    add_key(&object, named->keys, "name", named->name);
    add_key(&object, named->keys, key, value);
    accept_formatted(editing, arena_printf(editing->arena, "%.*s%s}%s", (int)name->place.offset - 1, text,
                                           text_str(&object), text + name->place.offset + name->place.length + 1));
    text_free(&object);
}

static void set_of_named(struct editing *editing, const char *name, const char *key, const char *value)
{
    const struct named named = find_named(editing, name);
    struct diag *diag;
    const char *nearest;

    if (named.value && named.value->kind == VALUE_STRING) {
        set_of_param(editing, &named, key, value);
    } else if (named.value) {
        set_member(editing, named.value, named.keys, key, value);
    } else {
        diag =
            diag_error(editing->diags, "unknown-name", PLACE_NONE, "there is no object `%s` in the description", name);
        nearest = name_nearest(name, named.seen.at, named.seen.n);
        if (nearest)
            diag_hint(editing->diags, diag, "did you mean `%s`?", nearest);
    }
}

static void set_of_open(struct editing *editing, const char *key, const char *value)
{
    const struct value *open = find_open(editing);

    if (open)
        set_member(editing, open, open_keys(editing->p), key, value);
}

polynest_status polynest_set_key(polynest *p, const char *object, const char *key, const char *value)
{
    struct editing editing;

    if (editing_begin(&editing, p, false)) {
        if (object)
            set_of_named(&editing, object, key, value);
        else if (p->open == 0)
            set_member(&editing, editing.edited.root, object_description.key, key, value);
        else
            set_of_open(&editing, key, value);
    }
    return editing_end(&editing);
}

polynest_status polynest_set_target(polynest *p, const char *key, const char *value)
{
    const struct argument *keys = keys_of(object_description.key, "target");
    struct editing editing;

    if (editing_begin(&editing, p, false)) {
        const struct value *target = value_of_kind(editing.edited.root, "target", VALUE_OBJECT);
        struct text json = {0};

        if (target) {
            set_member(&editing, target, keys, key, value);
        } else {
            add_key(&json, keys, key, value);
            text_char(&json, '}');
            accept_formatted(&editing, insert_member(&editing.edited, editing.edited.root, object_description.key,
                                                     "target", text_str(&json)));
        }
        text_free(&json);
    }
    return editing_end(&editing);
}
