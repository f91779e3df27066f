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

static bool is_word(const struct value *wishes, const char *key, const char *word)
{
    const struct value *value = value_member(wishes, key);

    return value && strcmp(value->string, word) == 0;
}

struct wishes wishes_of(const struct program *program)
{
    const struct step *step = wishes_step(program);
    const struct value *asked = step ? step_value(step, "auto") : NULL;

    if (!step)
        return (struct wishes){0};
    return (struct wishes){.tile = number(asked, "tile"),
                           .threads = number(asked, "threads"),
                           .sizes = is_word(asked, "variants", "sizes"),
                           .apart = is_word(asked, "fusion", "none"),
                           .n_before = (int)(step - program->schedule)};
}
