#include "caps/language.h"

#include <string.h>

#define NAME(name) #name,
#define DECLARE(name) extern const struct language language_##name;
#define ADDRESS(name) &language_##name,

static const char *const names[] = {LANGUAGES(NAME) 0};

LANGUAGES(DECLARE)
static const struct language *const all[] = {LANGUAGES(ADDRESS)};

const char *const *language_names(void)
{
    return names;
}

int language_number(const char *name)
{
    int number = 0;

    while (names[number] && strcmp(names[number], name) != 0)
        number++;
    return names[number] ? number : 0;
}

const struct language *language_by_name(const char *name)
{
    return all[language_number(name)];
}
