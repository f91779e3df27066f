#include "read/choose/choose.h"

#include "base/names.h"
#include "read/choose/dispatch.h"
#include "read/choose/tunables.h"
#include "read/json.h"

#include <string.h>

/* The members that a variant or a schedule file puts in the place of the description's. */
static const char *const replaced[] = {"schedule", "plan", "target", NULL};

static struct value *own_member(struct value *object, const char *key)
{
    return (struct value *)(uintptr_t)value_member(object, key);
}

/* A copy with room for n members more. */
static struct value copy_with_room(struct arena *arena, const struct value *object, int n)
{
    struct value copy = *object;
    const int all = object->n_item + n;

    copy.key = ARENA_ARRAY(arena, all, const char *);
    copy.key_place = ARENA_ARRAY(arena, all, struct place);
    copy.item = ARENA_ARRAY(arena, all, struct value);
    for (int k = 0; k < object->n_item; k++) {
        copy.key[k] = object->key[k];
        copy.key_place[k] = object->key_place[k];
        copy.item[k] = object->item[k];
    }
    return copy;
}

static void put(struct value *root, const char *key, const struct value *value)
{
    struct value *old = own_member(root, key);

    if (old) {
        *old = *value;
        return;
    }
    root->key[root->n_item] = key;
    root->key_place[root->n_item] = value->place;
    root->item[root->n_item++] = *value;
}

/* The permissions of both. */
static void add_permits(struct reader *reader, struct value *root, const struct value *permit)
{
    const struct value *old = value_member(root, "permit");
    struct value both = *permit;

    if (old && old->kind == VALUE_LIST && permit->kind == VALUE_LIST) {
        both.n_item = old->n_item + permit->n_item;
        both.item = ARENA_ARRAY(reader->arena, both.n_item, struct value);
        for (int k = 0; k < both.n_item; k++)
            both.item[k] = k < old->n_item ? old->item[k] : permit->item[k - old->n_item];
    }
    put(root, "permit", &both);
}

/* The steps of a list, which may be a single one; NULL: none. */
static const struct value *step_list(const struct value *steps, int *n)
{
    const bool is_list = steps && steps->kind == VALUE_LIST;

    *n = is_list ? steps->n_item : steps != NULL;
    return is_list ? steps->item : steps;
}

/* The number of the step that has this name; n: there is none. */
static int find_step(const struct value *step, int n, const char *name)
{
    int k = 0;

    while (k < n && !value_member(&step[k], name))
        k++;
    return k;
}

/* root's list `key` becomes its first steps, those of the file and its last ones. */
static void insert_steps(struct reader *reader, struct value *root, const char *key, const struct value *file,
                         int n_first, int n_last)
{
    const struct value *own = value_member(root, key);
    struct value list = {.kind = VALUE_LIST, .place = own ? own->place : root->place};
    int n_own, n_file;
    const struct value *old = step_list(own, &n_own), *given = step_list(value_member(file, key), &n_file);

    list.item = ARENA_ARRAY(reader->arena, n_first + n_file + n_last + 1, struct value);
    for (int k = 0; k < n_first; k++)
        list.item[list.n_item++] = old[k];
    for (int k = 0; k < n_file; k++)
        list.item[list.n_item++] = given[k];
    for (int k = n_own - n_last; k < n_own; k++)
        list.item[list.n_item++] = old[k];
    put(root, key, &list);
}

/* The file's steps in the place of one step. */
static void lay_in_place(struct reader *reader, struct value *root, const struct value *file,
                         const struct choices *choices)
{
    int n_step, n_plan;
    const struct value *step = step_list(value_member(root, "schedule"), &n_step);
    const int at = find_step(step, n_step, choices->in_place_of);

    step_list(value_member(root, "plan"), &n_plan);
    insert_steps(reader, root, "schedule", file, at, choices->alone || at == n_step ? 0 : n_step - at - 1);
    insert_steps(reader, root, "plan", file, 0, choices->alone ? 0 : n_plan);
}

/* What object, a variant or a schedule file, says stands for what root says. */
static void lay_members(struct reader *reader, struct value *root, const struct value *object)
{
    const struct value *permit = value_member(object, "permit");

    for (int k = 0; replaced[k]; k++)
        if (value_member(object, replaced[k]))
            put(root, replaced[k], value_member(object, replaced[k]));
    if (permit)
        add_permits(reader, root, permit);
}

/* Its values of tunables become those that are chosen. */
static bool lay_set(struct reader *reader, const struct value *object, struct tunables *tunables)
{
    const struct value *set = value_member(object, "set");

    return !set || (check_kind(reader, set, VALUE_OBJECT, "\"set\"") && tunables_set(tunables, set));
}

static bool lay_over(struct reader *reader, struct value *root, const struct value *object, struct tunables *tunables)
{
    lay_members(reader, root, object);
    return lay_set(reader, object, tunables);
}

static const char *variant_name(struct reader *reader, const struct value *variant)
{
    const struct value *name = value_member(variant, "name");

    if (!check_kind(reader, variant, VALUE_OBJECT, object_variant.title))
        return NULL;
    check_keys(reader, &object_variant, variant);
    if (!name)
        missing_key(reader, variant, "name");
    if (!name || !check_kind(reader, name, VALUE_STRING, "\"name\""))
        return NULL;
    if (name_is_identifier(name->string))
        return name->string;
    diag_error(reader->diags, "name", name->place, "\"%s\" cannot name a variant: names are letters, digits and _",
               name->string);
    return NULL;
}

static void report_no_variant(struct reader *reader, const char *wanted, const char *const *names, int n)
{
    struct diag *diag =
        diag_error(reader->diags, "unknown-name", PLACE_NONE, "the description has no variant `%s`", wanted);

    suggest_all(reader, diag, wanted, names, n);
    if (!n)
        diag_hint(reader->diags, diag, "it has no \"variants\"; --schedule takes a schedule from a file");
}

/* The variant of that name (NULL: all are only looked at), or NULL after reporting a fault. */
static const struct value *find_variant(struct reader *reader, const struct value *root, const char *wanted)
{
    const struct value *list = value_member(root, "variants"), *found = NULL;
    const int n = list && check_kind(reader, list, VALUE_LIST, "\"variants\"") ? list->n_item : 0;
    const char **names = ARENA_ARRAY(reader->arena, n, const char *);
    int n_names = 0;

    for (int k = 0; k < n; k++) {
        const char *name = variant_name(reader, &list->item[k]);

        if (!name)
            continue;
        for (int other = 0; other < n_names; other++)
            if (strcmp(names[other], name) == 0)
                diag_error(reader->diags, "duplicate-name", list->item[k].place, "`%s` already names a variant", name);
        names[n_names++] = name;
        if (wanted && strcmp(name, wanted) == 0)
            found = &list->item[k];
    }
    if (wanted && !found)
        report_no_variant(reader, wanted, names, n_names);
    return found;
}

/* Adds "_end" to the name of the function. */
static void put_behind_name(struct reader *reader, struct value *root, const char *end, struct place place)
{
    const struct value *name = value_member(root, "name");
    struct value joined;

    if (!name || name->kind != VALUE_STRING)
        return;
    joined = *name;
    joined.string = arena_printf(reader->arena, "%s_%s", name->string, end);
    joined.place = place;
    put(root, "name", &joined);
}

/* Where calls choose between variants: what any of them permits. */
static void lay_permits(struct reader *reader, struct value *root)
{
    const struct value *list = dispatched_list(root);

    for (int k = 0; list && k < list->n_item; k++)
        if (value_member(&list->item[k], "permit"))
            add_permits(reader, root, value_member(&list->item[k], "permit"));
}

/* And tunables as the last one sets them. */
static bool lay_last(struct reader *reader, const struct value *root, struct tunables *tunables)
{
    const struct value *list = dispatched_list(root);

    return !list || lay_set(reader, &list->item[list->n_item - 1], tunables);
}

static bool lay_variant(struct reader *reader, struct value *root, const char *wanted, struct tunables *tunables)
{
    const struct value *variant = find_variant(reader, root, wanted);

    if (!wanted || !variant)
        return !wanted;
    reader->program->variant = variant;
    reader->when = value_member(variant, "when");
    reader->when_supported = value_member(variant, "when_supported");
    put_behind_name(reader, root, wanted, value_member(variant, "name")->place);
    return lay_over(reader, root, variant, tunables);
}

bool choose_file(struct reader *reader, const struct source *source, const struct value **file)
{
    *file = source ? json_read(reader->arena, source, reader->diags) : NULL;
    if (!source)
        return true;
    if (!*file || !check_kind(reader, *file, VALUE_OBJECT, object_schedule_file.title))
        return false;
    check_keys(reader, &object_schedule_file, *file);
    return true;
}

const struct value *choose_variants(struct reader *reader, const struct value *root, const struct value *file)
{
    struct value *laid;

    if (!value_member(file, "variants"))
        return root;
    laid = ARENA_NEW(reader->arena, struct value);
    *laid = copy_with_room(reader->arena, root, 8);
    put(laid, "variants", value_member(file, "variants"));
    lay_members(reader, laid, file);
    return laid;
}

/* The variant, and the schedule file: that is above the description's variants, and below its own. */
static bool lay_chosen(struct reader *reader, struct value *root, const struct value *file, const char *variant,
                       struct tunables *tunables)
{
    if (value_member(file, "variants"))
        return lay_set(reader, file, tunables) && lay_variant(reader, root, variant, tunables);
    return lay_variant(reader, root, variant, tunables) && (!file || lay_over(reader, root, file, tunables));
}

/* The sizes that steps are proposed for. */
static void lay_size(struct reader *reader, struct value *root, const struct choices *choices)
{
    struct source *source = ARENA_NEW(reader->arena, struct source);
    struct value *when = ARENA_NEW(reader->arena, struct value);

    if (!choices->size)
        return;
    put_behind_name(reader, root, choices->size, value_member(root, "name")->place);
    if (!choices->when)
        return;
    *source = (struct source){"auto", choices->when, strlen(choices->when)};
    *when = (struct value){.kind = VALUE_STRING, .string = choices->when, .place = {source, 0, source->size}};
    reader->when = when;
}

/* The steps that were proposed. */
static bool lay_proposed(struct reader *reader, struct value *root, const struct choices *choices)
{
    const struct value *file;

    if (!choose_file(reader, choices->proposed, &file))
        return false;
    if (file && choices->in_place_of)
        lay_in_place(reader, root, file, choices);
    else if (file)
        lay_members(reader, root, file);
    return true;
}

/* Tunables and variants themselves are gone. */
static void drop(struct value *root, const char *key)
{
    int n = 0;

    for (int k = 0; k < root->n_item; k++) {
        if (strcmp(root->key[k], key) == 0)
            continue;
        root->key[n] = root->key[k];
        root->key_place[n] = root->key_place[k];
        root->item[n++] = root->item[k];
    }
    root->n_item = n;
}

const struct value *choose_all(struct reader *reader, const struct value *root, const struct value *file,
                               const struct choices *choices)
{
    struct value *chosen = ARENA_NEW(reader->arena, struct value);
    struct tunables tunables = {.reader = reader};
    bool good = tunables_read(&tunables, root);

    *chosen = copy_with_room(reader->arena, root, 8);
    good = good && lay_chosen(reader, chosen, file, choices->variant, &tunables);
    if (choices->as_written && !choices->variant)
        good = good && lay_last(reader, chosen, &tunables);
    if (good && choices->permit_all && !choices->variant)
        lay_permits(reader, chosen);
    good = good && lay_proposed(reader, chosen, choices);
    if (good)
        lay_size(reader, chosen, choices);
    for (int k = 0; k < choices->n_setting; k++)
        good = good && tunables_set_text(&tunables, &choices->setting[k]);
    good = good && tunables_settle(&tunables);
    drop(chosen, "tunables");
    drop(chosen, "variants");
    good = good && tunables_apply(&tunables, chosen);
    reader->program->chosen = tunables_text(&tunables);
    return good ? chosen : NULL;
}
