/* The counts, arguments and conditions of a leaf, and what all of these are changed by. */
#include "lower/finished/shape_parts.h"

#include "lower/facts/facts.h"

void shape_add_condition(struct arena *arena, const struct affine *affine, bool equal, condition_vec *conditions)
{
    const struct affine_term *term = affine && !equal ? facts_splitting_term(affine) : NULL;

    for (int k = 0; term && k < term->atom->n_arg; k++)
        shape_add_condition(arena, facts_with_argument(arena, affine, term, k), false, conditions);
    if (term)
        return;
    VEC_PUSH(arena, conditions, ((struct condition){affine, equal}));
}

/* Is the limit that none of some inequalities holds? */
static bool are_opposites(const struct way *limit)
{
    bool are = limit->none;

    for (int k = 0; k < limit->n_alternative && are; k++)
        are = limit->alternative[k].n == 1 && !limit->alternative[k].condition->equal;
    return are;
}

bool shape_add_limit(struct arena *arena, const struct way *limit, condition_vec *conditions)
{
    const struct affine *minus_1 = affine_constant(arena, -1);

    if (!are_opposites(limit) && (limit->none || limit->n_alternative != 1))
        return false;
    for (int k = 0; k < limit->n_alternative && limit->none; k++)
        shape_add_condition(arena, affine_combine(arena, limit->alternative[k].condition->affine, -1, minus_1, 1),
                            false, conditions);
    for (int k = 0; !limit->none && k < limit->alternative->n; k++)
        shape_add_condition(arena, limit->alternative->condition[k].affine, limit->alternative->condition[k].equal,
                            conditions);
    return true;
}

bool shape_add_count(struct shape *shape, const struct var *var)
{
    if (shape->n == MOST_COUNTS)
        return false;
    shape->count[shape->n++] = (struct count){.var = var, .last = INT64_MAX};
    return true;
}

static bool is_gone(const struct way *inner, const struct way *end, const struct var *var)
{
    for (const struct way *way = inner; way != end; way = way->outer)
        if (way->kind == WAY_GONE && way->var == var)
            return true;
    return false;
}

static void add_guards(struct shape *shape, const struct way *limit)
{
    VEC_PUSH(shape->arena, &shape->limit, limit);
    for (int k = 0; k < limit->n_alternative; k++) {
        const struct guard *guard = &limit->alternative[k];
        struct condition *own = ARENA_ARRAY(shape->arena, guard->n + 1, struct condition);
        memcpy(own, guard->condition, (size_t)guard->n * sizeof(*own));
        VEC_PUSH(shape->arena, &shape->choice, ((struct choice){own, guard->n}));
    }
}

/* Counts further out than the side that are counts of its leaves, too. */
static bool add_also(struct shape *shape, const struct side *side, const struct way *inner)
{
    for (int k = 0; k < side->n_also; k++) {
        const struct way *way = side->also[k];
        if (is_gone(inner, NULL, way->var))
            continue;
        if (!way->most || !shape_add_count(shape, way->var))
            return false;
        shape_add_condition(shape->arena, affine_var(shape->arena, way->var), false, &shape->condition);
        shape_add_condition(shape->arena, affine_sub(shape->arena, way->most, affine_var(shape->arena, way->var)),
                            false, &shape->condition);
    }
    return true;
}

static bool add_limits(struct shape *shape, const struct way *inner, const struct way *end)
{
    for (const struct way *way = inner; way != end; way = way->outer) {
        const struct affine *most = way->kind == WAY_COUNT ? way->most : NULL;
        if (way->kind == WAY_COUNT && is_gone(inner, end, way->var))
            continue;
        if (way->kind == WAY_COUNT && !shape_add_count(shape, way->var))
            return false;
        if (way->kind == WAY_COUNT)
            shape->count[shape->n - 1].unended = way->unended;
        if (most) {
            const struct affine *var = affine_var(shape->arena, way->var), *room = affine_sub(shape->arena, most, var);
            shape_add_condition(shape->arena, var, false, &shape->condition);
            shape_add_condition(shape->arena, room, false, &shape->condition);
            if (!room)
                return false;
        }
        if (way->kind == WAY_LIMIT && !shape_add_limit(shape->arena, way, &shape->condition))
            add_guards(shape, way);
    }
    return true;
}

bool shape_see(const struct shape *shape, shape_see_function *function, void *user)
{
    bool good = !shape->number || function(shape->number, user);

    for (int d = 0; d < shape->n_argument && good; d++)
        good = function(shape->argument[d], user);
    for (int k = 0; k < shape->condition.n && good; k++)
        good = function(shape->condition.at[k].affine, user);
    for (int k = 0; k < shape->choice.n; k++)
        for (int c = 0; c < shape->choice.at[k].n && good; c++)
            good = function(shape->choice.at[k].condition[c].affine, user);
    return good;
}

static bool uses_not(const struct affine *affine, void *user)
{
    return affine && !affine_uses(affine, user);
}

bool shape_is_quotient(const struct atom *atom, const struct var *var, int64_t divisor)
{
    const struct affine *arg = atom->kind == ATOM_FLOOR && atom->divisor == divisor ? atom->arg[0] : NULL;

    return arg && arg->constant == 0 && arg->n_term == 1 && arg->term[0].factor == 1 &&
           arg->term[0].atom->kind == ATOM_VAR && arg->term[0].atom->var == var;
}

static const struct affine *with_quotient(struct arena *arena, const struct affine *affine,
                                          const struct replacing *replacing)
{
    const struct affine *sum = affine_constant(arena, affine->constant);

    for (int k = 0; k < affine->n_term && sum; k++) {
        const struct affine_term *term = &affine->term[k];
        const struct affine one = {0, 1, &(struct affine_term){1, term->atom}};
        const struct affine *value = affine_combine(arena, &one, 1, affine_constant(arena, 0), 0);
        if (shape_is_quotient(term->atom, replacing->var, replacing->divisor))
            value = replacing->quotient;
        else if (term->atom->kind == ATOM_FLOOR)
            value = affine_floor(arena, with_quotient(arena, term->atom->arg[0], replacing), term->atom->divisor);
        sum = affine_combine(arena, sum, 1, value, term->factor);
    }
    return sum;
}

void shape_range(const struct shape *shape, const struct var *var, int64_t *low, int64_t *high)
{
    const struct count *count = shape_count(shape, var);
    const struct way *way = shape->around;

    *low = count && (count->from_0 || count->last != INT64_MAX) ? 0 : INT64_MIN;
    *high = count ? count->last : INT64_MAX;
    while (way && !count && (way->kind != WAY_COUNT || way->var != var))
        way = way->outer;
    if (count || !way)
        return;
    *low = way->low;
    if (way->low == INT64_MIN || __builtin_add_overflow(way->low, way->width, high))
        *high = INT64_MAX;
}

/* The least and the largest value of the affine, if all that it has have both. */
static bool range_of(const struct shape *shape, const struct affine *affine, int64_t *low, int64_t *high)
{
    *low = *high = affine->constant;
    for (int k = 0; k < affine->n_term; k++) {
        const struct affine_term *term = &affine->term[k];
        int64_t from, to;
        if (term->atom->kind != ATOM_VAR)
            return false;
        shape_range(shape, term->atom->var, &from, &to);
        if (from == INT64_MIN || to == INT64_MAX || __builtin_mul_overflow(term->factor, from, &from) ||
            __builtin_mul_overflow(term->factor, to, &to) || __builtin_add_overflow(*low, from < to ? from : to, low) ||
            __builtin_add_overflow(*high, from < to ? to : from, high))
            return false;
    }
    return true;
}

const struct affine *shape_settled(const struct shape *shape, const struct affine *affine)
{
    for (int k = 0; affine && k < affine->n_term; k++) {
        const struct affine_term *term = &affine->term[k];
        const struct affine one = {0, 1, term};
        const struct affine *arg = term->atom->kind == ATOM_FLOOR ? shape_settled(shape, term->atom->arg[0]) : NULL;
        const struct affine *quotient = arg ? affine_floor(shape->arena, arg, term->atom->divisor) : NULL;
        int64_t low, high;
        if (!quotient)
            continue;
        if (range_of(shape, arg, &low, &high) &&
            floor_div(low, term->atom->divisor) == floor_div(high, term->atom->divisor))
            quotient = affine_constant(shape->arena, floor_div(low, term->atom->divisor));
        else if (affine_equal(arg, term->atom->arg[0]))
            continue;
        affine = affine_combine(shape->arena, affine_sub(shape->arena, affine, &one), 1, quotient, term->factor);
        k = -1;
    }
    return affine;
}

static const struct affine *replaced(const struct shape *shape, const struct affine *affine,
                                     const struct replacing *replacing)
{
    if (affine && replacing->quotient)
        affine = with_quotient(shape->arena, affine, replacing);
    if (affine && replacing->var)
        affine = affine_substitute(shape->arena, affine, replacing->var, replacing->by);
    return shape_settled(shape, affine);
}

bool shape_change(struct shape *shape, const struct replacing *replacing)
{
    bool good = true;

    if (shape->number) {
        shape->number = replaced(shape, shape->number, replacing);
        good = shape->number;
    }
    for (int d = 0; d < shape->n_argument; d++) {
        shape->argument[d] = replaced(shape, shape->argument[d], replacing);
        good = good && shape->argument[d];
    }
    for (int k = 0; k < shape->condition.n; k++) {
        shape->condition.at[k].affine = replaced(shape, shape->condition.at[k].affine, replacing);
        good = good && shape->condition.at[k].affine;
    }
    for (int k = 0; k < shape->choice.n; k++)
        for (int c = 0; c < shape->choice.at[k].n; c++) {
            struct condition *own = &shape->choice.at[k].condition[c];
            own->affine = replaced(shape, own->affine, replacing);
            good = good && own->affine;
        }
    return good;
}

bool shape_uses(const struct shape *shape, const struct var *var)
{
    return !shape_see(shape, uses_not, (void *)(uintptr_t)var);
}

static bool has_condition(const struct shape *shape, const struct affine *affine)
{
    for (int k = 0; k < shape->condition.n; k++)
        if (affine && !shape->condition.at[k].equal && affine_equal(shape->condition.at[k].affine, affine))
            return true;
    return false;
}

/* The digits become counts: each is below its extent, the first one by itself or as something else says so. */
static bool add_digits(struct shape *shape, const struct way *digits)
{
    struct arena *arena = shape->arena;
    bool good = !shape->digits;

    for (int k = 0; k < digits->n_digit && good; k++) {
        const struct affine *digit = affine_var(arena, digits->digit[k]);
        const struct affine *room = affine_add_constant(arena, affine_sub(arena, digits->extent[k], digit), -1);
        good =
            room && (k > 0 || digits->ended || has_condition(shape, room)) && shape_add_count(shape, digits->digit[k]);
        shape_add_condition(shape->arena, digit, false, &shape->condition);
        if (k > 0 || digits->ended)
            shape_add_condition(shape->arena, room, false, &shape->condition);
    }
    shape->digits = digits;
    return good;
}

/* Of what digits are used, if of anything: one number's. */
static bool find_digits(struct shape *shape, const struct way *inner, const struct way *end)
{
    const struct way *found = NULL;

    for (const struct way *way = inner; way != end; way = way->outer)
        for (int k = 0; way->kind == WAY_DIGITS && k < way->n_digit; k++)
            if (way != found && shape_uses(shape, way->digit[k])) {
                if (found)
                    return false;
                found = way;
            }
    if (!found)
        return true;
    if (!add_digits(shape, found))
        return false;
    shape->number = found->value;
    return true;
}

/* The place of the count that the condition is of, and of nothing else; -1: there is none. */
static int only_count(const struct shape *shape, const struct condition *condition)
{
    const struct affine *affine = condition->affine;

    if (condition->equal || affine->n_term != 1 || affine->term[0].atom->kind != ATOM_VAR)
        return -1;
    for (int c = 0; c < shape->n; c++)
        if (shape->count[c].var == affine->term[0].atom->var)
            return c;
    return -1;
}

static bool is_from_0(const struct affine *affine)
{
    return affine->term[0].factor > 0 && floor_div(affine->constant, affine->term[0].factor) == 0;
}

void shape_find_ranges(struct shape *shape)
{
    condition_vec rest = {0};

    for (int k = 0; k < shape->condition.n; k++) {
        const int at = only_count(shape, &shape->condition.at[k]);
        if (at >= 0 && is_from_0(shape->condition.at[k].affine))
            shape->count[at].from_0 = true;
    }
    for (int k = 0; k < shape->condition.n; k++) {
        const struct condition *condition = &shape->condition.at[k];
        const int at = only_count(shape, condition);
        if (at >= 0 && shape->count[at].from_0 && condition->affine->term[0].factor < 0) {
            const int64_t last = floor_div(condition->affine->constant, -condition->affine->term[0].factor);
            shape->count[at].last = last < shape->count[at].last ? last : shape->count[at].last;
        } else if (at < 0 || !is_from_0(condition->affine)) {
            VEC_PUSH(shape->arena, &rest, *condition);
        }
    }
    shape->condition = rest;
}

/* The largest constant that conditions by themselves say the count is at least; 0: they say none. */
static int64_t least_of(const struct shape *shape, int at)
{
    int64_t least = INT64_MIN;

    for (int k = 0; k < shape->condition.n; k++) {
        const struct affine *affine = shape->condition.at[k].affine;
        if (only_count(shape, &shape->condition.at[k]) == at && affine->term[0].factor == 1 &&
            -affine->constant > least)
            least = -affine->constant;
    }
    return least == INT64_MIN ? 0 : least;
}

/* Counts from a constant on become counts from 0 on. */
static bool start_at_0(struct shape *shape)
{
    bool good = true;

    for (int k = 0; k < shape->n && good; k++) {
        const struct affine *var = affine_var(shape->arena, shape->count[k].var);
        const int64_t least = least_of(shape, k);
        const struct replacing shift = {.var = shape->count[k].var,
                                        .by = affine_add_constant(shape->arena, var, least)};
        if (least != 0)
            good = shape_change(shape, &shift);
    }
    return good;
}

bool shape_read(struct arena *arena, const struct side *side, const struct leaf *leaf, int first_id,
                struct shape *shape)
{
    *shape = (struct shape){.arena = arena, .around = side->from, .next_id = first_id, .n_argument = leaf->n_argument};
    shape->argument = ARENA_ARRAY(arena, shape->n_argument + 1, const struct affine *);
    for (int d = 0; d < shape->n_argument; d++)
        shape->argument[d] = leaf->argument[d];
    if (!add_limits(shape, leaf->way, side->from) || !add_also(shape, side, leaf->way) ||
        !find_digits(shape, leaf->way, side->from) || !start_at_0(shape))
        return false;
    shape_find_ranges(shape);
    return shape_change(shape, &(struct replacing){.var = NULL});
}
