#include "lower/finished/least.h"

#include "lower/facts/facts.h"

/* Replacements one in the other, and those after which limits are still tried. */
enum { DEEPEST = 6, DEEPEST_LIMITS = 1 };

/* affine with value in the place of the term's atom; NULL: a number is too large. */
static const struct affine *replaced(struct arena *arena, const struct affine *affine, const struct affine_term *term,
                                     const struct affine *value)
{
    const struct affine one = {0, 1, term};

    return affine_combine(arena, affine_sub(arena, affine, &one), 1, value, term->factor);
}

static bool shown(const struct least *least, const struct affine *affine, int depth);

/* An extreme that is at least, times its factor, what some, or else all, of its arguments are in its place. */
static bool shown_by_arguments(const struct least *least, const struct affine *affine, const struct affine_term *term,
                               int depth)
{
    const bool any = (term->atom->kind == ATOM_MAX) == (term->factor > 0);
    bool result = !any;

    for (int k = 0; k < term->atom->n_arg && result != any; k++) {
        const bool own = shown(least, replaced(least->arena, affine, term, term->atom->arg[k]), depth + 1);
        result = any ? result || own : result && own;
    }
    return result;
}

/* d * floor(E / d) is E less a remainder from 0 to d - 1. */
static bool shown_by_remainder(const struct least *least, const struct affine *affine, const struct affine_term *term,
                               int depth)
{
    const struct atom *atom = term->atom;
    const struct affine one = {0, 1, term};
    const struct affine *rest;
    int64_t times, remainder;

    if (term->factor % atom->divisor != 0)
        return false;
    times = term->factor / atom->divisor;
    if (__builtin_mul_overflow(times > 0 ? times : 0, atom->divisor - 1, &remainder))
        return false;
    rest = affine_combine(least->arena, affine_sub(least->arena, affine, &one), 1, atom->arg[0], times);
    return shown(least, affine_add_constant(least->arena, rest, -remainder), depth + 1);
}

/* A quotient is at least what it is with some argument of a maximum in it in the maximum's place. */
static bool shown_inside(const struct least *least, const struct affine *affine, const struct affine_term *term,
                         int depth)
{
    const struct affine *inner = term->atom->arg[0];

    for (int k = 0; k < inner->n_term; k++) {
        const struct affine_term *extreme = &inner->term[k];
        const bool grows = (extreme->factor > 0) == (term->factor > 0);
        if (extreme->atom->kind != (grows ? ATOM_MAX : ATOM_MIN))
            continue;
        for (int a = 0; a < extreme->atom->n_arg; a++) {
            const struct affine *quotient =
                affine_floor(least->arena, replaced(least->arena, inner, extreme, extreme->atom->arg[a]),
                             term->atom->divisor);
            if (quotient && shown(least, replaced(least->arena, affine, term, quotient), depth + 1))
                return true;
        }
    }
    return false;
}

/* The numbers that something may be; INT64_MIN, INT64_MAX: no such end is known. */
struct ends {
    int64_t low, high;
};

static struct ends ends_of(const struct least *least, const struct affine *affine);

static struct ends ends_of_count(const struct least *least, const struct var *var)
{
    struct ends ends = {INT64_MIN, INT64_MAX};

    for (const struct way *way = least->way; way; way = way->outer)
        if (way->kind == WAY_COUNT && way->var == var) {
            ends.low = way->low;
            if (way->low != INT64_MIN && __builtin_add_overflow(way->low, way->width, &ends.high))
                ends.high = INT64_MAX;
        }
    return ends;
}

static struct ends ends_of_atom(const struct least *least, const struct atom *atom)
{
    struct ends ends, other;

    if (atom->kind == ATOM_VAR)
        return atom->var->kind == VAR_PARAM ? (struct ends){least->param[atom->var->id], INT64_MAX}
                                            : ends_of_count(least, atom->var);
    ends = ends_of(least, atom->arg[0]);
    for (int k = 1; k < atom->n_arg; k++) {
        other = ends_of(least, atom->arg[k]);
        if ((atom->kind == ATOM_MIN) == (other.low < ends.low))
            ends.low = other.low;
        if ((atom->kind == ATOM_MIN) == (other.high < ends.high))
            ends.high = other.high;
    }
    if (atom->kind == ATOM_FLOOR) {
        ends.low = ends.low == INT64_MIN ? ends.low : floor_div(ends.low, atom->divisor);
        ends.high = ends.high == INT64_MAX ? ends.high : floor_div(ends.high, atom->divisor);
    }
    return ends;
}

/* sum + factor * end; `open`: what is not known is. */
static int64_t end_with(int64_t sum, int64_t factor, int64_t end, int64_t open)
{
    int64_t product;

    if (sum == open || end == INT64_MIN || end == INT64_MAX || __builtin_mul_overflow(factor, end, &product) ||
        __builtin_add_overflow(sum, product, &sum))
        return open;
    return sum;
}

static struct ends ends_of(const struct least *least, const struct affine *affine)
{
    struct ends sum = {affine->constant, affine->constant};

    for (int k = 0; k < affine->n_term; k++) {
        const struct ends own = ends_of_atom(least, affine->term[k].atom);
        const int64_t factor = affine->term[k].factor;
        sum.low = end_with(sum.low, factor, factor > 0 ? own.low : own.high, INT64_MIN);
        sum.high = end_with(sum.high, factor, factor > 0 ? own.high : own.low, INT64_MAX);
    }
    return sum;
}

static bool shown_by_ends(const struct least *least, const struct affine *affine)
{
    return ends_of(least, affine).low >= 0;
}

/* Is affine at least what is known to be at least 0? */
static bool shown_by_fact(const struct least *least, const struct affine *affine, const struct affine *fact)
{
    const struct affine *more = fact ? affine_sub(least->arena, affine, fact) : NULL;
    const struct affine_term *term = fact ? facts_splitting_term(fact) : NULL;

    if (more && shown_by_ends(least, more))
        return true;
    for (int k = 0; term && k < term->atom->n_arg; k++)
        if (shown_by_fact(least, affine, facts_with_argument(least->arena, fact, term, k)))
            return true;
    return false;
}

/* q = floor(E / d), a term of what is zero, says that E is from d * q to d * q + d - 1. */
static bool shown_by_quotient(const struct least *least, const struct affine *affine, const struct affine *zero,
                              const struct affine_term *term)
{
    struct arena *arena = least->arena;
    const struct affine one = {0, 1, term};
    const struct affine *quotient = affine_scale(arena, affine_sub(arena, zero, &one), -term->factor);
    const struct affine *rest = affine_combine(arena, term->atom->arg[0], 1, quotient, -term->atom->divisor);

    return shown_by_fact(least, affine, rest) ||
           shown_by_fact(least, affine,
                         affine_add_constant(arena, affine_scale(arena, rest, -1), term->atom->divisor - 1));
}

static bool shown_by_equation(const struct least *least, const struct affine *affine, const struct affine *zero)
{
    for (int k = 0; k < zero->n_term; k++) {
        const struct affine_term *term = &zero->term[k];
        if (term->atom->kind == ATOM_FLOOR && (term->factor == 1 || term->factor == -1) &&
            shown_by_quotient(least, affine, zero, term))
            return true;
    }
    return shown_by_fact(least, affine, zero) || shown_by_fact(least, affine, affine_scale(least->arena, zero, -1));
}

static bool shown_by_limits(const struct least *least, const struct affine *affine)
{
    for (const struct way *way = least->way; way; way = way->outer) {
        if (way->kind != WAY_LIMIT || way->none || way->n_alternative != 1)
            continue;
        for (int k = 0; k < way->alternative->n; k++) {
            const struct condition *condition = &way->alternative->condition[k];
            if (condition->equal ? shown_by_equation(least, affine, condition->affine)
                                 : shown_by_fact(least, affine, condition->affine))
                return true;
        }
    }
    return false;
}

static bool shown(const struct least *least, const struct affine *affine, int depth)
{
    if (!affine || depth > DEEPEST)
        return false;
    if (affine_is_constant(affine, NULL))
        return affine->constant >= 0;
    if (shown_by_ends(least, affine))
        return true;
    for (int k = 0; k < affine->n_term; k++) {
        const struct affine_term *term = &affine->term[k];
        if (term->atom->kind == ATOM_FLOOR &&
            (shown_inside(least, affine, term, depth) || shown_by_remainder(least, affine, term, depth)))
            return true;
        if ((term->atom->kind == ATOM_MIN || term->atom->kind == ATOM_MAX) &&
            shown_by_arguments(least, affine, term, depth))
            return true;
    }
    return depth <= DEEPEST_LIMITS && shown_by_limits(least, affine);
}

bool least_is_shown(const struct least *least, const struct affine *affine)
{
    return shown(least, affine, 0);
}
