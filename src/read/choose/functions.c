#include "read/choose/functions.h"

#include "read/json.h"
#include "read/read.h"

#include <string.h>

static const struct value *list_of(const struct value *root)
{
    return root && root->kind == VALUE_OBJECT ? value_of_kind(root, "functions", VALUE_LIST) : NULL;
}

int functions_listed(struct arena *arena, const struct source *source, const char *const **name)
{
    const struct value *list = list_of(json_read(arena, source, diags_new(arena)));
    const int n = list ? list->n_item : 0;
    const char **names = ARENA_ARRAY(arena, n + 1, const char *);

    for (int k = 0; k < n; k++) {
        const struct value *own =
            list->item[k].kind == VALUE_OBJECT ? value_of_kind(&list->item[k], "name", VALUE_STRING) : NULL;
        names[k] = own ? own->string : "";
    }
    *name = names;
    return n;
}

const struct value *function_number(const struct value *root, int number)
{
    const struct value *list = list_of(root);

    return list && number > 0 && number <= list->n_item ? &list->item[number - 1] : root;
}

/* One file has no two functions of a name. */
static bool check_names(struct reader *reader, const struct value *list, int number)
{
    const struct value *own = value_member(&list->item[number - 1], "name");

    for (int k = 0; own && own->kind == VALUE_STRING && k < number - 1; k++) {
        const struct value *other = value_member(&list->item[k], "name");

        if (other && other->kind == VALUE_STRING && strcmp(other->string, own->string) == 0) {
            diag_error(reader->diags, "duplicate-name", own->place, "`%s` already names a function", own->string);
            return false;
        }
    }
    return true;
}

static bool is_shared(const char *key)
{
    return strcmp(key, "functions") != 0 && find_key(object_several.key, key);
}

/* The function with the members of root that it does not have. */
static const struct value *with_shared(struct reader *reader, const struct value *root, const struct value *function)
{
    struct value *all = ARENA_NEW(reader->arena, struct value);
    const int n = root->n_item + function->n_item;

    *all = *function;
    all->key = ARENA_ARRAY(reader->arena, n, const char *);
    all->key_place = ARENA_ARRAY(reader->arena, n, struct place);
    all->item = ARENA_ARRAY(reader->arena, n, struct value);
    all->n_item = 0;
    for (int k = 0; k < n; k++) {
        const struct value *of = k < function->n_item ? function : root;
        const int at = k < function->n_item ? k : k - function->n_item;

        if (of == root && (value_member(function, root->key[at]) || !is_shared(root->key[at])))
            continue;
        all->key[all->n_item] = of->key[at];
        all->key_place[all->n_item] = of->key_place[at];
        all->item[all->n_item++] = of->item[at];
    }
    return all;
}

const struct value *choose_function(struct reader *reader, const struct value *root, int number)
{
    const struct value *list = value_member(root, "functions");
    const int errors = reader->diags->errors;

    if (!list)
        return root;
    check_keys(reader, &object_several, root);
    if (reader->diags->errors > errors || !check_kind(reader, list, VALUE_LIST, "\"functions\""))
        return NULL;
    if (list->n_item == 0) {
        diag_error(reader->diags, "functions", list->place, "a file of several functions has at least one");
        return NULL;
    }
    if (number < 1 || number > list->n_item) {
        diag_hint(reader->diags,
                  diag_error(reader->diags, "functions", list->place, "which of the %d functions?", list->n_item),
                  "--function=NAME chooses one");
        return NULL;
    }
    const struct value *function = &list->item[number - 1];
    if (!check_kind(reader, function, VALUE_OBJECT, object_function.title) || !check_names(reader, list, number))
        return NULL;
    return with_shared(reader, root, function);
}
