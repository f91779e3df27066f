#include "read/select.h"

#include "read/tunables.h"

#include <string.h>

/* The members that a variant may have instead of the description's. */
static const char *const replaced[] = {"schedule", "plan", "target", "permit", NULL};

static bool check_variant(struct reader *reader, const struct value *variant)
{
    static const char *const keys[] = {"name", "set", "schedule", "plan", "target", "permit", NULL};
    static const enum value_kind kinds[] = {VALUE_STRING, VALUE_OBJECT, VALUE_LIST,
                                            VALUE_LIST,   VALUE_OBJECT, VALUE_LIST};
    const struct value *name;

    if (!check_kind(reader, variant, VALUE_OBJECT, "a variant"))
        return false;
    check_keys(reader, variant, keys, "a variant");
    for (int k = 1; keys[k]; k++)
        member(reader, variant, keys[k], kinds[k], false);
    name = member(reader, variant, "name", VALUE_STRING, true);
    return name && check_name(reader, name->string, name->place, "a variant");
}

static bool is_named(const struct value *variant, const char *name)
{
    const struct value *string = value_member(variant, "name");

    return string && string->kind == VALUE_STRING && strcmp(string->string, name) == 0;
}

/* Reports variants that are wrong, and names that two of them have. */
static void check_variants(struct reader *reader, const struct value *list)
{
    for (int k = 0; list && k < list->n_item; k++) {
        if (!check_variant(reader, &list->item[k]))
            continue;
        for (int j = 0; j < k; j++) {
            const struct value *name = value_member(&list->item[k], "name");

            if (is_named(&list->item[j], name->string))
                diag_error(reader->diags, "duplicate-name", name->place, "`%s` already names a variant", name->string);
        }
    }
}

/* The variant of that name; reports that there is none. */
static const struct value *find_variant(struct reader *reader, const struct value *list, const char *name)
{
    const char **names = ARENA_ARRAY(reader->arena, list ? list->n_item : 0, const char *);

    for (int k = 0; list && k < list->n_item; k++) {
        if (is_named(&list->item[k], name))
            return &list->item[k];
        names[k] = value_member(&list->item[k], "name")->string;
    }
    suggest(reader, diag_error(reader->diags, "variant", PLACE_NONE, "there is no variant \"%s\"", name), name, names,
            list ? list->n_item : 0);
    return NULL;
}

/* What the variant sets, at its place there. */
static void set_of_variant(struct reader *reader, struct tunables *tunables, const struct value *variant)
{
    const struct value *set = value_member(variant, "set");

    for (int k = 0; set && k < set->n_item; k++)
        tunables_choose(reader, tunables, set->key[k], &set->item[k], set->item[k].place);
}

/* "NAME=VALUE" of the caller. */
static bool set_by_caller(struct reader *reader, struct tunables *tunables, const char *setting)
{
    const size_t size = strcspn(setting, "=");
    struct value wanted = {.kind = VALUE_STRING};

    if (setting[size] != '=' || size == 0) {
        diag_error(reader->diags, "tunable", PLACE_NONE, "\"%s\" sets nothing: NAME=VALUE does", setting);
        return false;
    }
    wanted.string = arena_copy(reader->arena, setting + size + 1);
    return tunables_choose(reader, tunables, arena_copy_n(reader->arena, setting, size), &wanted, PLACE_NONE);
}

/* `sgemm_avx2`: the function of a variant. */
static struct value named_for(struct reader *reader, const struct value *name, const char *variant)
{
    struct value result = *name;

    if (variant && name->kind == VALUE_STRING)
        result.string = arena_printf(reader->arena, "%s_%s", name->string, variant);
    return result;
}

/* Members that are gathered for a new object. */
static void add_member(struct value *object, const char *key, struct place place, struct value item)
{
    object->key[object->n_item] = key;
    object->key_place[object->n_item] = place;
    object->item[object->n_item++] = item;
}

static struct value *new_object(struct reader *reader, struct place place, int most)
{
    struct value *object = ARENA_NEW(reader->arena, struct value);

    object->kind = VALUE_OBJECT;
    object->place = place;
    object->key = ARENA_ARRAY(reader->arena, most, const char *);
    object->key_place = ARENA_ARRAY(reader->arena, most, struct place);
    object->item = ARENA_ARRAY(reader->arena, most, struct value);
    return object;
}

static bool is_replaced(const char *key, const struct value *variant)
{
    for (int k = 0; replaced[k]; k++)
        if (strcmp(key, replaced[k]) == 0)
            return value_member(variant, key) != NULL;
    return false;
}

/* The members of root, and of the variant (NULL: none) those that it has instead. */
static const struct value *merge(struct reader *reader, const struct value *root, const struct value *variant)
{
    struct value *result = new_object(reader, root->place, root->n_item + (variant ? variant->n_item : 0));

    for (int k = 0; k < root->n_item; k++)
        if (strcmp(root->key[k], "tunables") != 0 && strcmp(root->key[k], "variants") != 0 &&
            !is_replaced(root->key[k], variant))
            add_member(result, root->key[k], root->key_place[k], root->item[k]);
    for (int k = 0; variant && k < variant->n_item; k++)
        if (is_replaced(variant->key[k], variant))
            add_member(result, variant->key[k], variant->key_place[k], variant->item[k]);
    return result;
}

/* root with the chosen values in it, as the function of the variant. */
static const struct value *finish(struct reader *reader, const struct tunables *tunables, const struct value *root,
                                  const char *variant)
{
    struct value *result = ARENA_NEW(reader->arena, struct value);

    *result = tunables_replace(reader, tunables, root);
    for (int k = 0; k < result->n_item; k++)
        if (variant && strcmp(result->key[k], "name") == 0)
            result->item[k] = named_for(reader, &result->item[k], variant);
    return result;
}

/* "variant avx2, rows = 6" for the emitted comment; NULL: the defaults. */
static const char *selected_text(struct arena *arena, const struct selection *selection)
{
    const char *text = selection->variant ? arena_printf(arena, "variant %s", selection->variant) : NULL;

    for (int k = 0; k < selection->n_setting; k++)
        text = text ? arena_printf(arena, "%s, %s", text, selection->setting[k]) : selection->setting[k];
    return text ? arena_copy(arena, text) : NULL;
}

enum status select_values(struct reader *reader, const struct selection *selection, const struct value **root)
{
    const struct value *variants = member(reader, *root, "variants", VALUE_LIST, false), *variant = NULL;
    const int errors = reader->diags->errors;
    struct tunables tunables = {0};
    bool known = true;

    tunables_read(reader, *root, &tunables);
    check_variants(reader, variants);
    if (reader->diags->errors > errors)
        return STATUS_REFUSED;
    if (selection->variant) {
        variant = find_variant(reader, variants, selection->variant);
        known = variant != NULL;
    }
    set_of_variant(reader, &tunables, variant);
    for (int k = 0; k < selection->n_setting; k++)
        known &= set_by_caller(reader, &tunables, selection->setting[k]);
    if (!known)
        return STATUS_USAGE;
    if (reader->diags->errors > errors || !tunables_agree(reader, &tunables))
        return STATUS_REFUSED;
    *root = finish(reader, &tunables, merge(reader, *root, variant), selection->variant);
    reader->program->selected = selected_text(reader->arena, selection);
    return reader->diags->errors > errors ? STATUS_REFUSED : STATUS_OK;
}
