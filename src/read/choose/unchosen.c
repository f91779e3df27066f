#include "read/choose/unchosen.h"

#include "read/choose/tunables.h"

#include <string.h>

/* Values for all tunables as the variant alone chooses them; false where that needs a caller's --set, or after
 * reporting a fault. */
static bool settle(struct tunables *tunables, const struct value *set)
{
    struct reader *reader = tunables->reader;
    struct diags *diags = reader->diags;
    bool settled;

    tunables_reset(tunables);
    if (!tunables_set(tunables, set))
        return false;
    reader->diags = diags_new(reader->arena);
    settled = tunables_settle(tunables);
    reader->diags = diags;
    return settled;
}

static void check_variant(struct reader *reader, struct value *variant, struct tunables *tunables)
{
    const struct value *set = value_member(variant, "set");
    struct program other = *reader->program;

    if (set && !check_kind(reader, set, VALUE_OBJECT, "\"set\""))
        return;
    if (settle(tunables, set) && tunables_apply(tunables, variant))
        read_members(reader, &object_variant, variant, &other);
}

void check_unchosen(struct reader *reader, const struct value *root, const char *chosen)
{
    const struct value *list = value_member(root, "variants");
    struct tunables tunables = {.reader = reader};

    if (!list || !tunables_read(&tunables, root))
        return;
    for (int k = 0; k < list->n_item; k++) {
        struct value *variant = &list->item[k];
        const struct value *name = value_of_kind(variant, "name", VALUE_STRING);

        if (name && (!chosen || strcmp(name->string, chosen) != 0))
            check_variant(reader, variant, &tunables);
    }
}
