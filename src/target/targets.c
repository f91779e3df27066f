/* The printers of all languages. */
#include "caps/language.h"
#include "target/target.h"

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

enum status target_print(struct arena *arena, const struct unit *unit, struct text *source, struct text *header,
                         struct diags *diags)
{
    const int language = language_number(unit->program->target.language);

    return all[language]->print(all[language]->dialect, arena, unit, source, header, diags);
}
