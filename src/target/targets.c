/* The printers of all languages. */
#include "caps/language.h"
#include "target/target.h"
#include "tree/visit.h"

#include <string.h>

#define DECLARE(name) extern const struct target target_##name;
LANGUAGES(DECLARE)

#define ADDRESS(name) &target_##name,
static const struct target *const all[] = {LANGUAGES(ADDRESS)};

const struct target *const *targets(int *n)
{
    *n = (int)(sizeof(all) / sizeof(all[0]));
    return all;
}

/* What texts compute is for those who run the tree. */
static const struct node *printed_tree(struct arena *arena, const struct node *tree)
{
    const struct node **child = ARENA_ARRAY(arena, tree->n_child + 1, const struct node *);
    struct node *text;

    if (tree->kind != NODE_TEXT) {
        for (int k = 0; k < tree->n_child; k++)
            child[k] = printed_tree(arena, tree->child[k]);
        return node_with_children(arena, tree, child);
    }
    text = ARENA_NEW(arena, struct node);
    *text = *tree;
    text->n_child = 0;
    return text;
}

enum status target_print(struct arena *arena, const struct unit *unit, struct text *source, struct text *header,
                         struct diags *diags)
{
    const int language = language_number(unit->program->target.language);

    struct unit printed = *unit;

    if (unit->tree && unit->program->n_instruction > 0)
        printed.tree = printed_tree(arena, unit->tree);
    return all[language]->print(all[language]->dialect, arena, &printed, source, header, diags);
}
