#define _POSIX_C_SOURCE 200809L /* uselocale */
#include "program/expr/real.h"

#include <fenv.h>
#include <locale.h>
#include <stdint.h>
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

static double parse_rounded(const char *spelling, int direction)
{
    const int before = fegetround();
    double value;

    fesetround(direction);
    value = strtod(spelling, NULL);
    fesetround(before);
    return value;
}

double real_parse_odd(const char *spelling)
{
    const struct c_locale locale = enter_c_locale();
    const double down = parse_rounded(spelling, FE_DOWNWARD), up = parse_rounded(spelling, FE_UPWARD);
    uint64_t bits;

    leave_c_locale(locale);
    memcpy(&bits, &down, sizeof(bits));
    return down == up || bits & 1 ? down : up;
}

/* With a point or an exponent, so that C takes it for a real. */
static const char *marked(struct arena *arena, const char *spelling)
{
    return strpbrk(spelling, ".e") ? spelling : arena_printf(arena, "%s.0", spelling);
}

const char *real_spell_single(struct arena *arena, float value)
{
    const struct c_locale locale = enter_c_locale();
    const char *spelling = NULL;

    for (int digits = 6; digits <= 9; digits++) {
        spelling = arena_printf(arena, "%.*g", digits, (double)value);
        if (strtof(spelling, NULL) == value)
            break;
    }
    leave_c_locale(locale);
    return marked(arena, spelling);
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
    return marked(arena, spelling);
}
