#include "read/choose/dispatch.h"

#include "read/json.h"

/* The variants of root where one of them has a condition, or NULL. */
static const struct value *dispatched(const struct value *root)
{
    const struct value *list = root ? value_of_kind(root, "variants", VALUE_LIST) : NULL;

    for (int k = 0; list && k < list->n_item; k++)
        if (list->item[k].kind == VALUE_OBJECT && value_member(&list->item[k], "when"))
            return list;
    return NULL;
}

int dispatched_variants(struct arena *arena, const struct source *source, const char *const **name)
{
    const struct value *root = json_read(arena, source, diags_new(arena));
    const struct value *list = root && root->kind == VALUE_OBJECT ? dispatched(root) : NULL;
    const char **names = ARENA_ARRAY(arena, list ? list->n_item : 0, const char *);

    for (int k = 0; list && k < list->n_item; k++) {
        const struct value *own =
            list->item[k].kind == VALUE_OBJECT ? value_of_kind(&list->item[k], "name", VALUE_STRING) : NULL;
        if (!own)
            return 0;
        names[k] = own->string;
    }
    *name = names;
    return list ? list->n_item : 0;
}

void check_dispatch(struct reader *reader, const struct value *root)
{
    const struct value *list = dispatched(root);

    for (int k = 0; list && k < list->n_item; k++) {
        const struct value *variant = &list->item[k];
        const struct value *when = variant->kind == VALUE_OBJECT ? value_member(variant, "when") : NULL;
        const bool last = k == list->n_item - 1;

        if (last && when)
            diag_hint(reader->diags,
                      diag_error(reader->diags, "variant", when->place,
                                 "the last variant has a condition: where it does not hold there is none to run"),
                      "leave the last variant's \"when\" out");
        if (!last && !when)
            diag_hint(reader->diags,
                      diag_error(reader->diags, "variant", variant->place,
                                 "this variant has no \"when\" and is not the last one: those behind it never run"),
                      "give it a \"when\", or make it the last one");
    }
}

void read_when(struct reader *reader, const struct value *value, void *program)
{
    struct value *condition = ARENA_NEW(reader->arena, struct value);

    *condition = *value;
    if (read_condition(reader, "when", condition))
        ((struct program *)program)->when = condition;
}
