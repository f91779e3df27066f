#include "lower/finished/same_stored.h"

#include "lower/finished/shape_parts.h"
#include "lower/finished/solving.h"

/* The range of a term's count, from 0 on; INT64_MAX: it has none. */
static int64_t last_of(const struct solving *s, const struct atom *atom)
{
    const struct count *count = atom->kind == ATOM_VAR ? shape_count(s->store, atom->var) : NULL;

    if (!count && atom->kind == ATOM_VAR)
        count = shape_count(s->load, atom->var);
    return count ? count->last : INT64_MAX;
}

/* Is it never 0? Seen from factors, and for counts with ranges. */
static bool is_never_0(const struct solving *s, const struct affine *affine)
{
    int64_t low = affine->constant, high = affine->constant, move;

    if (affine_gcd(affine) > 1 && affine->constant % affine_gcd(affine) != 0)
        return true;
    for (int k = 0; k < affine->n_term; k++) {
        const int64_t last = last_of(s, affine->term[k].atom), factor = affine->term[k].factor;
        if (last == INT64_MAX || __builtin_mul_overflow(factor, last, &move) ||
            __builtin_add_overflow(factor < 0 ? low : high, move, factor < 0 ? &low : &high))
            return false;
    }
    return low > 0 || high < 0;
}

/* Are the subscripts of both never the same? */
static bool is_elsewhere(const struct solving *s)
{
    for (int d = 0; d < s->n_index; d++) {
        const struct affine *more = affine_sub(s->arena, s->load->argument[d], s->store->argument[d]);
        if (more && is_never_0(s, more))
            return true;
    }
    return false;
}

static bool is_multiple(struct arena *arena, const struct affine *affine, const struct affine *of)
{
    const int64_t times = of->n_term > 0 && affine->n_term > 0 ? affine->term[0].factor / of->term[0].factor : 0;
    const struct affine *scaled = affine_scale(arena, of, times);

    return scaled && affine_equal(affine, scaled);
}

/* Where the subscripts are the same, is that for the same, too? What it differs in must be 0 as a subscript's is. */
static bool is_for_same(const struct solving *s)
{
    for (int d = s->n_index; d < s->store->n_argument; d++) {
        const struct affine *more = solving_difference(s, d);
        bool same = more && more->n_term == 0 && more->constant == 0;
        for (int k = 0; k < s->n_index && more && !same; k++) {
            const struct affine *own = solving_difference(s, k);
            same = own && is_multiple(s->arena, more, own);
        }
        if (!same)
            return false;
    }
    return true;
}

enum stored same_stored(struct arena *arena, const struct shape *load, const struct shape *store, int n_index,
                        stored_part_vec *parts)
{
    struct shape own = shape_copied(store);
    struct solving s = {.arena = arena, .load = load, .store = &own, .n_index = n_index};

    if (!solving_own_counts(&own, load))
        return STORED_UNKNOWN;
    if (is_elsewhere(&s))
        return STORED_ELSEWHERE;
    solving_solve(&s, 0, n_index);
    if (!is_for_same(&s))
        return STORED_UNKNOWN;
    solving_choose(&s);
    return solving_parts(&s, n_index, parts) ? STORED_PART : STORED_SAME;
}
