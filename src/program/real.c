#define _POSIX_C_SOURCE 200809L /* uselocale */
#include "program/real.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

/* The calling thread's locale before it became C; NULL when there was no memory for the change. */
struct c_locale {
    locale_t c, before;
};

static struct c_locale enter_c_locale(void)
{
    struct c_locale locale = {newlocale(LC_NUMERIC_MASK, "C", (locale_t)0), (locale_t)0};

    if (locale.c)
        locale.before = uselocale(locale.c);
    return locale;
}

static void leave_c_locale(struct c_locale locale)
{
    if (!locale.c)
        return;
    uselocale(locale.before);
    freelocale(locale.c);
}

double real_parse(const char *spelling)
{
    const struct c_locale locale = enter_c_locale();
    const double value = strtod(spelling, NULL);

    leave_c_locale(locale);
    return value;
}

float real_parse_single(const char *spelling)
{
    const struct c_locale locale = enter_c_locale();
    const float value = strtof(spelling, NULL);

    leave_c_locale(locale);
    return value;
}

const char *real_spell(struct arena *arena, double value)
{
    const struct c_locale locale = enter_c_locale();
    const char *spelling = NULL;

    for (int digits = 15; digits <= 17; digits++) {
        spelling = arena_printf(arena, "%.*g", digits, value);
        if (strtod(spelling, NULL) == value)
            break;
    }
    leave_c_locale(locale);
    return strpbrk(spelling, ".e") ? spelling : arena_printf(arena, "%s.0", spelling);
}
