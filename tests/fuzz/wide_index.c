/* Subscripts that stay inside of their arrays, and conditions on loops. */
#include "wide.h"

#include <string.h>

static struct term *number(struct wide *wide, int64_t value)
{
    return wide_int(wide, value, TYPE_NONE);
}

static struct term *loop_value(struct wide *wide, const struct loop *loop)
{
    return wide_loop(wide, loop, TYPE_NONE);
}

/* Some amount that is at most what is left, and at most 2. */
static int64_t some_of(struct wide *wide, struct affine left)
{
    const int64_t most = left.c > 2 ? 2 : left.c;

    return most > 0 && chance(wide, 50) ? pick(wide, (int)most + 1) : 0;
}

struct term *index_of_loop(struct wide *wide, const struct loop *loop, struct affine extent, bool back)
{
    const struct affine count = extent_add(loop->high, loop->low, -1), left = extent_add(extent, count, -1);
    struct affine last;
    int64_t r;

    if (!extent_never_negative(wide, left))
        return NULL;
    r = some_of(wide, left);
    if (!back)
        return wide_plus_affine(wide, loop_value(wide, loop),
                                extent_plus(extent_add((struct affine){0}, loop->low, -1), r));
    last = extent_plus(loop->high, r - 1);
    has(wide, WIDE_INDEX_BACK);
    if (!last.n && !last.m && !last.c)
        return wide_unary(wide, "-", loop_value(wide, loop));
    return wide_binary(wide, "-", wide_affine(wide, last), loop_value(wide, loop));
}

/* Is there an element wherever the loops in sight run? */
static bool some_element(const struct wide *wide, const struct sight *sight, struct affine extent)
{
    bool some = extent_never_negative(wide, extent_plus(extent, -1));

    for (int k = 0; k < sight->n && !some; k++) {
        const struct loop *loop = sight->loop[k];
        some = extent_never_negative(wide, extent_add(extent, extent_add(loop->high, loop->low, -1), -1));
    }
    return some;
}

bool never_empty(const struct wide *wide, const struct sight *sight, const struct wide_array *array)
{
    for (int k = 0; k < array->n_dim; k++)
        if (!some_element(wide, sight, array->shape[k]))
            return false;
    return true;
}

static const struct loop *some_loop(struct wide *wide, const struct sight *sight)
{
    return sight->n ? sight->loop[pick(wide, sight->n)] : NULL;
}

/* A loop, or twice it, or the sum of two, with an offset. */
static struct term *free_sum(struct wide *wide, const struct sight *sight)
{
    const struct loop *a = some_loop(wide, sight), *b = some_loop(wide, sight);
    struct term *sum = a ? loop_value(wide, a) : number(wide, pick(wide, 4));

    if (a && chance(wide, 15))
        sum = wide_binary(wide, "*", number(wide, 2 + pick(wide, 2)), sum);
    if (b && b != a && chance(wide, 40))
        sum = wide_binary(wide, chance(wide, 70) ? "+" : "-", sum, loop_value(wide, b));
    return wide_plus(wide, sum, pick(wide, 7) - 3);
}

static struct term *clamped(struct wide *wide, const struct sight *sight, struct affine extent)
{
    struct term *last = wide_affine(wide, extent_plus(extent, -1)), *sum = free_sum(wide, sight);
    const bool inside = chance(wide, 50);

    has(wide, WIDE_INDEX_CLAMP);
    if (inside)
        return wide_call(wide, "max", wide_call(wide, "min", sum, last, NULL), number(wide, 0), NULL);
    return wide_call(wide, "min", wide_call(wide, "max", sum, number(wide, 0), NULL), last, NULL);
}

/* i > 0 ? i - 1 : last, or i < last ? i + 1 : 0, or with an equality; of a loop that fits from 0 on. */
static struct term *wrapped(struct wide *wide, const struct loop *loop, struct affine extent)
{
    struct term *i = loop_value(wide, loop), *last = wide_affine(wide, extent_plus(extent, -1));

    if (!extent_never_negative(wide, loop->low) || !extent_never_negative(wide, extent_add(extent, loop->high, -1)))
        return NULL;
    has(wide, WIDE_INDEX_WRAP);
    switch (pick(wide, 4)) {
    case 0:
        return wide_select(wide, wide_binary(wide, ">", i, number(wide, 0)), wide_plus(wide, i, -1), last);
    case 1:
        return wide_select(wide, wide_binary(wide, "==", i, number(wide, 0)), last, wide_plus(wide, i, -1));
    case 2:
        return wide_select(wide, wide_binary(wide, "==", i, last), number(wide, 0), wide_plus(wide, i, 1));
    default:
        return wide_select(wide, wide_binary(wide, "<", i, last), wide_plus(wide, i, 1), number(wide, 0));
    }
}

/* i / 2, (i + 1) / 3, (i / 2 + 3) / 2, i / 4 * 4: never above i. */
static struct term *divided(struct wide *wide, const struct loop *loop, struct affine extent)
{
    struct term *i = loop_value(wide, loop);
    const struct affine left = extent_add(extent, loop->high, -1);
    const int q = 2 + pick(wide, 3);

    if (!extent_never_negative(wide, loop->low) || !extent_never_negative(wide, left))
        return NULL;
    has(wide, WIDE_INDEX_DIV);
    i = wide_plus(wide, i, some_of(wide, left));
    switch (pick(wide, 5)) {
    case 0:
        has(wide, WIDE_QUOTIENT);
        return wide_binary(wide, "/", wide_binary(wide, "/", i, number(wide, q)), number(wide, 2 + pick(wide, 2)));
    case 1:
        has(wide, WIDE_QUOTIENT);
        return wide_binary(wide, "/", wide_plus(wide, wide_binary(wide, "/", i, number(wide, q)), pick(wide, 2)),
                           number(wide, 2 + pick(wide, 2)));
    case 2:
        return wide_binary(wide, "*", wide_binary(wide, "/", i, number(wide, q)), number(wide, q));
    default:
        return wide_binary(wide, "/", i, number(wide, q));
    }
}

/* A remainder, of a constant that fits or of a sum of loops. */
static struct term *remainder_of(struct wide *wide, const struct sight *sight, struct affine extent)
{
    struct term *sum = free_sum(wide, sight);
    const int64_t room = extent.c < 5 ? extent.c : 5;

    if (room < 2)
        return NULL;
    has(wide, WIDE_INDEX_MOD);
    if (chance(wide, 20)) {
        has(wide, WIDE_INDEX_DIV);
        has(wide, WIDE_QUOTIENT);
        sum = wide_binary(wide, "/", sum, number(wide, 2 + pick(wide, 3)));
    }
    return wide_binary(wide, "%", sum, number(wide, 2 + pick(wide, (int)room - 1)));
}

/* An element of an index array all of whose values fit. */
static struct term *indirect(struct wide *wide, const struct sight *sight, struct affine extent, bool injective)
{
    for (int k = 0; k < wide->n_array; k++) {
        const struct wide_array *array = &wide->array[k];
        struct term *at;
        if (!array->index || array->least < 0 || (injective && !array->injective) || !never_empty(wide, sight, array) ||
            !extent_never_negative(wide, extent_add(extent, array->most, -1)))
            continue;
        at = index_draw(wide, sight, array->shape[0], true);
        has(wide, WIDE_VALUES);
        if (array->injective)
            has(wide, WIDE_INJECTIVE);
        return wide_access(wide, array, &at);
    }
    return NULL;
}

struct term *index_bound(struct wide *wide, const struct sight *sight, const struct wide_array **array)
{
    for (int k = 0; k < wide->n_array; k++) {
        struct term *at;
        *array = &wide->array[k];
        if (!(*array)->index || (*array)->least < 0 || !never_empty(wide, sight, *array))
            continue;
        at = index_draw(wide, sight, (*array)->shape[0], true);
        has(wide, WIDE_VALUES);
        return wide_access(wide, *array, &at);
    }
    return NULL;
}

struct term *index_scattered(struct wide *wide, const struct sight *sight, struct affine extent)
{
    return indirect(wide, sight, extent, true);
}

/* i + j for two loops. */
static struct term *window_of(struct wide *wide, const struct loop *a, const struct loop *b, struct affine extent)
{
    const struct affine low = extent_add(a->low, b->low, 1), high = extent_plus(extent_add(a->high, b->high, 1), -1);
    const struct affine left = extent_add(extent_add(extent, high, -1), low, 1);
    if (!extent_never_negative(wide, left))
        return NULL;
    has(wide, WIDE_INDEX_SUM);
    return wide_plus_affine(wide, wide_binary(wide, "+", loop_value(wide, a), loop_value(wide, b)),
                            extent_plus(extent_add((struct affine){0}, low, -1), some_of(wide, left)));
}

/* i + j for a loop and mostly a constant one, some two that fit. */
static struct term *window(struct wide *wide, const struct sight *sight, struct affine extent)
{
    const int first = pick(wide, sight->n * sight->n);
    struct term *term = NULL;

    for (int k = 0; k < sight->n * sight->n && !term; k++) {
        const int pair = (first + k) % (sight->n * sight->n), a = pair / sight->n, b = pair % sight->n;
        if (a != b)
            term = window_of(wide, sight->loop[a], sight->loop[b], extent);
    }
    return term;
}

static struct term *unusual(struct wide *wide, const struct sight *sight, struct affine extent)
{
    const struct loop *loop = some_loop(wide, sight);
    const int which = pick(wide, 100);

    if (!loop)
        return NULL;
    if (which < 12)
        return clamped(wide, sight, extent);
    if (which < 26)
        return wrapped(wide, loop, extent);
    if (which < 40)
        return divided(wide, loop, extent);
    if (which < 50)
        return remainder_of(wide, sight, extent);
    if (which < 68)
        return indirect(wide, sight, extent, false);
    return window(wide, sight, extent);
}

struct term *index_draw(struct wide *wide, const struct sight *sight, struct affine extent, bool plain)
{
    struct term *term = !plain && chance(wide, 50) ? unusual(wide, sight, extent) : NULL;

    for (int k = 0; k < 4 && !term && sight->n; k++)
        term = index_of_loop(wide, some_loop(wide, sight), extent, chance(wide, 12));
    if (!term && extent.c < 1)
        return clamped(wide, sight, extent);
    return term ? term : number(wide, pick(wide, extent.c > 3 ? 3 : (int)extent.c));
}

/* Conditions. */

static struct term *congruence(struct wide *wide, const struct sight *sight)
{
    static const char *const ops[] = {"==", "==", "==", "<=", "!=", ">"};
    const int q = 2 + pick(wide, 4);
    struct term *rest = wide_binary(wide, "%", free_sum(wide, sight), number(wide, q));

    has(wide, WIDE_CONGRUENCE);
    return wide_binary(wide, ops[pick(wide, 6)], rest, number(wide, pick(wide, q)));
}

static struct term *equality(struct wide *wide, const struct sight *sight)
{
    struct term *a = loop_value(wide, some_loop(wide, sight));
    const struct loop *b = some_loop(wide, sight);
    const int which = pick(wide, 4);

    has(wide, WIDE_EQUALITY);
    if (which == 0)
        return wide_binary(wide, "==", a, number(wide, pick(wide, 4)));
    if (which == 1)
        return wide_binary(wide, "==", a, wide_plus(wide, loop_value(wide, b), pick(wide, 3) - 1));
    if (which == 2)
        return wide_binary(wide, "==", wide_binary(wide, "/", a, number(wide, 2 + pick(wide, 2))),
                           number(wide, pick(wide, 3)));
    return wide_binary(wide, "==", a,
                       wide_plus_affine(wide, NULL, (struct affine){pick(wide, 2), pick(wide, 2), -pick(wide, 3)}));
}

static struct term *inequality(struct wide *wide, const struct sight *sight)
{
    static const char *const ops[] = {"<", "<=", ">", ">=", "!="};
    struct term *sum = free_sum(wide, sight);

    if (chance(wide, 40))
        return wide_binary(wide, ops[pick(wide, 5)], sum, number(wide, pick(wide, 6)));
    if (chance(wide, 40))
        return wide_binary(wide, ops[pick(wide, 5)], sum, free_sum(wide, sight));
    return wide_binary(wide, ops[pick(wide, 5)], sum, wide_plus(wide, wide_param(wide, pick(wide, 2)), -pick(wide, 4)));
}

static struct term *atom(struct wide *wide, const struct sight *sight)
{
    const int which = pick(wide, 100);

    return which < 40 ? congruence(wide, sight) : which < 70 ? equality(wide, sight) : inequality(wide, sight);
}

struct term *condition_draw(struct wide *wide, const struct sight *sight)
{
    struct term *term = atom(wide, sight);

    for (int k = 0; k < 2 && chance(wide, 50); k++) {
        const bool either = chance(wide, 45);
        struct term *other = atom(wide, sight);
        has(wide, either ? WIDE_OR : WIDE_SEVERAL);
        term = chance(wide, 50) ? wide_binary(wide, either ? "||" : "&&", term, other)
                                : wide_binary(wide, either ? "||" : "&&", other, term);
    }
    if (chance(wide, 12)) {
        has(wide, WIDE_NEVER);
        term = wide_unary(wide, "!", term);
    }
    return term;
}
