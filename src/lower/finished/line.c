#include "lower/finished/line.h"

#include "lower/facts/facts.h"

static bool is_own(const struct line_reading *reading, const struct var *var)
{
    for (const struct way *way = reading->leaf->way; way != reading->side->from; way = way->outer)
        if (way->kind == WAY_COUNT && way->var == var)
            return true;
    return false;
}

bool line_has_own(const struct line_reading *reading, const struct affine *affine)
{
    for (int k = 0; k < affine->n_term; k++) {
        const struct atom *atom = affine->term[k].atom;
        if (atom->kind == ATOM_VAR && is_own(reading, atom->var))
            return true;
        for (int a = 0; a < atom->n_arg; a++)
            if (line_has_own(reading, atom->arg[a]))
                return true;
    }
    return false;
}

/* The digits of the argument, the largest first, and its base. */
static bool find_digits(struct line_reading *reading, const struct affine *argument)
{
    reading->base = argument;
    for (int k = 0; k < argument->n_term; k++) {
        const struct affine_term *term = &argument->term[k];
        const struct affine one = {0, 1, term};
        int at = reading->n_digit;
        if (!line_has_own(reading, &one))
            continue;
        if (term->atom->kind != ATOM_VAR || term->factor < 0 || at == MOST_DIGITS)
            return false;
        reading->base = affine_sub(reading->arena, reading->base, &one);
        reading->n_digit++;
        for (; at > 0 && reading->digit[at - 1].factor < term->factor; at--)
            reading->digit[at] = reading->digit[at - 1];
        reading->digit[at] = (struct digit){term->atom->var, term->factor, INT64_MAX, false};
    }
    return reading->base;
}

/* Is every count a digit? */
static bool all_found(const struct line_reading *reading)
{
    int n = 0;

    for (const struct way *way = reading->leaf->way; way != reading->side->from; way = way->outer) {
        if (way->kind == WAY_GONE)
            return false;
        n += way->kind == WAY_COUNT;
    }
    return n == reading->n_digit;
}

/* The limit says something of one digit behind the first, and of nothing else. */
static bool limits_digit(struct line_reading *reading, const struct affine *limit)
{
    struct digit *digit = NULL;
    int64_t factor, end;

    if (limit->n_term != 1 || limit->term[0].atom->kind != ATOM_VAR)
        return false;
    for (int k = 1; k < reading->n_digit; k++)
        if (reading->digit[k].count == limit->term[0].atom->var)
            digit = &reading->digit[k];
    if (!digit)
        return false;
    factor = limit->term[0].factor;
    if (factor > 0) {
        end = -floor_div(limit->constant, factor);
        digit->from_0 = digit->from_0 || end == 0;
        return end <= 0;
    }
    end = floor_div(limit->constant, -factor);
    digit->last = end < digit->last ? end : digit->last;
    return true;
}

/* The sum of the first n digits with their factors is at least, or at most, this; n: so many. */
struct bound {
    int n;
    bool most;
    const struct affine *value;
};

/* The limit as a bound; false: it is none. */
static bool bound_of(const struct line_reading *reading, const struct affine *limit, struct bound *bound)
{
    struct arena *arena = reading->arena;
    const struct digit *digit = reading->digit;
    int64_t first = reading->n_digit ? affine_factor(limit, digit[0].count) : 0, size = first < 0 ? -first : first,
            times;
    const struct affine *rest = limit;

    if (first == 0 || size > INT32_MAX || digit[0].factor > INT32_MAX ||
        (digit[0].factor % size != 0 && size % digit[0].factor != 0))
        return false;
    times = digit[0].factor % size == 0 ? digit[0].factor / size : 1;
    size = size * times / digit[0].factor;
    for (bound->n = 0; bound->n < reading->n_digit; bound->n++) {
        const struct affine *count = affine_var(arena, digit[bound->n].count);
        const int64_t factor = affine_factor(limit, digit[bound->n].count);
        if (factor == 0)
            break;
        if (factor > INT32_MAX || factor < -INT32_MAX ||
            factor * times != (first < 0 ? -size : size) * digit[bound->n].factor)
            return false;
        rest = affine_combine(arena, rest, 1, count, -factor);
    }
    rest = affine_scale(arena, rest, times);
    if (!rest || line_has_own(reading, rest))
        return false;
    bound->most = first < 0;
    rest = affine_floor(arena, rest, size);
    bound->value = bound->most ? rest : affine_scale(arena, rest, -1);
    return bound->value;
}

/* What the bound says of the whole number. Of digits behind it nothing is known: to be at least (at most) something,
 * a number whose last digits are left out may have any there. */
static bool add_bound(struct line_reading *reading, const struct bound *bound)
{
    struct arena *arena = reading->arena;
    const int64_t unit = reading->digit[bound->n - 1].factor;
    const struct affine *value = bound->value;

    if (bound->most && unit > 1)
        value = affine_add_constant(arena, affine_scale(arena, affine_floor(arena, value, unit), unit), unit - 1);
    if (!bound->most && unit > 1)
        value = affine_scale(arena, affine_floor(arena, affine_scale(arena, value, -1), unit), -unit);
    value = affine_add(arena, value, reading->base);
    if (value && bound->most)
        VEC_PUSH(arena, &reading->line.high, value);
    else if (value)
        VEC_PUSH(arena, &reading->line.low, value);
    return value;
}

static bool add_limit(struct line_reading *reading, const struct condition *condition)
{
    const struct affine_term *term;
    struct bound bound;
    int64_t constant;

    if (!condition->affine)
        return false;
    if (affine_is_constant(condition->affine, &constant))
        return condition->equal ? constant == 0 : constant >= 0;
    if (!line_has_own(reading, condition->affine)) {
        VEC_PUSH(reading->arena, &reading->line.gate, *condition);
        return true;
    }
    if (condition->equal)
        return false;
    if (limits_digit(reading, condition->affine))
        return true;
    if (bound_of(reading, condition->affine, &bound))
        return add_bound(reading, &bound);
    term = facts_splitting_term(condition->affine);
    for (int k = 0; term && k < term->atom->n_arg; k++) {
        const struct affine *part = facts_with_argument(reading->arena, condition->affine, term, k);
        if (!add_limit(reading, &(struct condition){part, false}))
            return false;
    }
    return term;
}

static bool add_limits(struct line_reading *reading, const struct way *way)
{
    bool good = true;

    if (way->kind == WAY_LIMIT) {
        if (way->none || way->n_alternative != 1)
            return false;
        for (int k = 0; k < way->alternative->n && good; k++)
            good = add_limit(reading, &way->alternative->condition[k]);
    }
    if (way->kind == WAY_COUNT && way->most) {
        const struct affine *count = affine_var(reading->arena, way->var);
        good = add_limit(reading, &(struct condition){count, false}) &&
               add_limit(reading, &(struct condition){affine_sub(reading->arena, way->most, count), false});
    }
    return good;
}

/* Are the digits behind the first those of numbers without gaps? */
static bool are_dense(const struct line_reading *reading)
{
    const struct digit *digit = reading->digit;

    for (int k = 1; k < reading->n_digit; k++)
        if (!digit[k].from_0 || digit[k].last >= INT32_MAX || digit[k].factor >= INT32_MAX ||
            (digit[k].last + 1) * digit[k].factor != digit[k - 1].factor)
            return false;
    return reading->n_digit == 0 || digit[reading->n_digit - 1].factor == 1;
}

/* Does a bound follow from another one of the list? */
static bool is_implied(const struct line_reading *reading, const affine_vec *list, int at, bool high)
{
    for (int k = 0; k < list->n; k++) {
        const struct affine *room = affine_sub(reading->arena, list->at[high ? at : k], list->at[high ? k : at]);
        if (k != at && (k < at || !affine_is_constant(room, NULL) || room->constant > 0) &&
            least_is_shown(&reading->known, room))
            return true;
    }
    return false;
}

/* The list without what follows from others in it. */
static affine_vec needed(const struct line_reading *reading, affine_vec list, bool high)
{
    for (int at = list.n - 1; at >= 0 && list.n > 1; at--)
        if (is_implied(reading, &list, at, high)) {
            memmove(&list.at[at], &list.at[at + 1], (size_t)(list.n - at - 1) * sizeof(*list.at));
            list.n--;
        }
    return list;
}

bool line_read(struct line_reading *reading, const struct affine *argument)
{
    if (!find_digits(reading, argument) || !all_found(reading))
        return false;
    for (const struct way *way = reading->leaf->way; way != reading->side->from; way = way->outer)
        if (!add_limits(reading, way))
            return false;
    if (reading->n_digit == 0) {
        VEC_PUSH(reading->arena, &reading->line.low, reading->base);
        VEC_PUSH(reading->arena, &reading->line.high, reading->base);
    }
    reading->line.low = needed(reading, reading->line.low, false);
    reading->line.high = needed(reading, reading->line.high, true);
    return are_dense(reading);
}

/* Adds the parts of a bound that is a maximum, or a minimum, of others. */
static void split(struct arena *arena, const struct affine *bound, bool high, affine_vec *list)
{
    const enum atom_kind kind = high ? ATOM_MIN : ATOM_MAX;

    for (int k = 0; bound && k < bound->n_term; k++) {
        const struct affine_term *term = &bound->term[k];
        const struct affine one = {0, 1, term};
        if (term->atom->kind != kind || term->factor < 0)
            continue;
        for (int a = 0; a < term->atom->n_arg; a++)
            split(arena, affine_combine(arena, affine_sub(arena, bound, &one), 1, term->atom->arg[a], term->factor),
                  high, list);
        return;
    }
    VEC_PUSH(arena, list, bound);
}

static bool has(const affine_vec *list, const struct affine *affine)
{
    for (int k = 0; k < list->n; k++)
        if (affine && list->at[k] && affine_equal(list->at[k], affine))
            return true;
    return false;
}

static bool same_list(const affine_vec *a, const affine_vec *b)
{
    bool same = true;

    for (int k = 0; k < a->n && same; k++)
        same = has(b, a->at[k]);
    for (int k = 0; k < b->n && same; k++)
        same = has(a, b->at[k]);
    return same;
}

static affine_vec split_all(struct arena *arena, const affine_vec *list, bool high)
{
    affine_vec all = {0};

    for (int k = 0; k < list->n; k++)
        split(arena, list->at[k], high, &all);
    return all;
}

bool line_same_ends(struct arena *arena, const affine_vec *a, const affine_vec *b, bool high)
{
    const affine_vec split_a = split_all(arena, a, high), split_b = split_all(arena, b, high);

    return same_list(a, b) || same_list(&split_a, &split_b);
}

bool line_same_gates(const struct line *a, const struct line *b)
{
    for (int side = 0; side < 2; side++, a = b, b = a)
        for (int k = 0; k < a->gate.n; k++) {
            bool found = false;
            for (int l = 0; l < b->gate.n && !found; l++)
                found = a->gate.at[k].equal == b->gate.at[l].equal &&
                        affine_equal(a->gate.at[k].affine, b->gate.at[l].affine);
            if (!found)
                return false;
        }
    return a->gate.n == b->gate.n;
}

bool line_has(struct arena *arena, const affine_vec *list, bool high, bool parts, const struct affine *affine)
{
    const affine_vec all = parts ? split_all(arena, list, high) : *list;

    return has(&all, affine);
}
