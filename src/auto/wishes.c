#include "auto/wishes.h"

#include <string.h>

const struct step *wishes_step(const struct program *program)
{
    for (int k = 0; k < program->n_schedule; k++)
        if (strcmp(program->schedule[k].primitive->name, "auto") == 0)
            return &program->schedule[k];
    return NULL;
}

static int64_t number(const struct value *wishes, const char *key)
{
    const struct value *value = value_member(wishes, key);

    return value ? value->integer : 0;
}

struct wishes wishes_of(const struct program *program)
{
    const struct step *step = wishes_step(program);
    const struct value *asked = step ? step_value(step, "auto") : NULL, *fusion = value_member(asked, "fusion");

    if (!step)
        return (struct wishes){0};
    return (struct wishes){.tile = number(asked, "tile"),
                           .threads = number(asked, "threads"),
                           .apart = fusion && strcmp(fusion->string, "none") == 0,
                           .n_before = (int)(step - program->schedule)};
}
