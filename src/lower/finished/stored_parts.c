/* Do the parts that several stores have of a load together have all of it? What is known of the load decides their
 * conditions; those that are left are taken to hold, and not to, one inside of the other. */
#include "lower/finished/same_stored.h"

#include "lower/finished/shape_parts.h"

/* Conditions that are taken to hold, and not to, one inside of the other. */
enum { MOST_CASES = 5 };

const struct affine *stored_opposite(struct arena *arena, const struct affine *affine)
{
    return affine ? affine_combine(arena, affine, -1, affine_constant(arena, -1), 1) : NULL;
}

/* Is affine at least 0 by the ranges of what it is of? */
static bool is_from_0(const struct shape *shape, const struct affine *affine)
{
    int64_t sum = affine->constant, low, high;

    for (int k = 0; k < affine->n_term; k++) {
        const struct affine_term *term = &affine->term[k];
        if (term->atom->kind != ATOM_VAR)
            return false;
        shape_range(shape, term->atom->var, &low, &high);
        if (term->factor > 0 ? low == INT64_MIN : high == INT64_MAX)
            return false;
        if (__builtin_mul_overflow(term->factor, term->factor > 0 ? low : high, &low) ||
            __builtin_add_overflow(sum, low, &sum))
            return false;
    }
    return sum >= 0;
}

/* Does affine >= 0, or for `equal` = 0, follow from one of the conditions and the ranges of the shape's counts? */
static bool follows(struct arena *arena, const struct shape *shape, const condition_vec *conditions,
                    const struct affine *affine, bool equal)
{
    for (int k = 0; k < conditions->n; k++) {
        const struct affine *more = affine_sub(arena, affine, conditions->at[k].affine);
        int64_t constant;
        if (more && !equal && is_from_0(shape, more))
            return true;
        if (more && equal && conditions->at[k].equal && affine_is_constant(more, &constant) && constant == 0)
            return true;
    }
    return false;
}

/* The same where the load is, and some conditions more hold. */
static bool is_told(struct arena *arena, const struct shape *load, const condition_vec *more,
                    const struct affine *affine, bool equal)
{
    return (!equal && is_from_0(load, affine)) || follows(arena, load, &load->condition, affine, equal) ||
           (!equal && follows(arena, load, &load->implied, affine, false)) || follows(arena, load, more, affine, equal);
}

/* affine with something that is not more in the place of a term with a quotient: factor * floor(E / d) is
 * factor / d * E, and for a factor above 0 at most factor / d * (d - 1) less. */
static const struct affine *without_quotient(struct arena *arena, const struct affine *affine,
                                             const struct affine_term *term)
{
    const struct affine one = {0, 1, term};
    const struct atom *atom = term->atom;
    const int64_t times = term->factor / atom->divisor;
    const struct affine *rest = affine_sub(arena, affine, &one);

    if (term->factor == 1 || term->factor == -1) {
        rest = affine_combine(arena, rest, atom->divisor, atom->arg[0], term->factor);
        return term->factor == 1 ? rest : affine_add_constant(arena, rest, atom->divisor - 1);
    }
    if (term->factor % atom->divisor != 0)
        return NULL;
    rest = affine_combine(arena, rest, 1, atom->arg[0], times);
    return times < 0 ? rest : affine_add_constant(arena, rest, -times * (atom->divisor - 1));
}

bool stored_known(struct arena *arena, const struct shape *load, const condition_vec *more, const struct affine *affine,
                  bool equal)
{
    int64_t constant;

    if (!affine || affine_is_constant(affine, &constant))
        return affine && (equal ? constant == 0 : constant >= 0);
    if (is_told(arena, load, more, affine, equal))
        return true;
    for (int k = 0; k < affine->n_term && !equal; k++) {
        const struct affine *less =
            affine->term[k].atom->kind == ATOM_FLOOR ? without_quotient(arena, affine, &affine->term[k]) : NULL;
        if (less && is_told(arena, load, more, less, false))
            return true;
    }
    return false;
}

/* What is known of a load besides its shape, and how many conditions more may be taken to hold. */
struct taken {
    condition_vec more;
    int left;
};

static bool holds(struct arena *arena, const struct shape *load, const struct taken *taken,
                  const struct condition *condition)
{
    return stored_known(arena, load, &taken->more, condition->affine, condition->equal);
}

static bool never_holds(struct arena *arena, const struct shape *load, const struct taken *taken,
                        const struct condition *condition)
{
    return !condition->equal &&
           stored_known(arena, load, &taken->more, stored_opposite(arena, condition->affine), false);
}

/* The part's first condition of which it is not known that it holds; NULL: all do. */
static const struct condition *first_open(struct arena *arena, const struct shape *load, const struct taken *taken,
                                          const struct stored_part *part)
{
    for (int k = 0; k < part->condition.n; k++)
        if (!holds(arena, load, taken, &part->condition.at[k]))
            return &part->condition.at[k];
    return NULL;
}

static bool is_nowhere(struct arena *arena, const struct shape *load, const struct taken *taken,
                       const struct stored_part *part)
{
    for (int k = 0; k < part->condition.n; k++)
        if (never_holds(arena, load, taken, &part->condition.at[k]))
            return true;
    return false;
}

/* Do all conditions of the choice hold, or, unless `all`, does one of them never? */
static bool is_decided(struct arena *arena, const struct shape *load, const struct taken *taken,
                       const struct choice *choice, bool all)
{
    for (int k = 0; k < choice->n; k++)
        if (all ? !holds(arena, load, taken, &choice->condition[k])
                : never_holds(arena, load, taken, &choice->condition[k]))
            return !all;
    return all;
}

/* Is nothing loaded where that is taken to hold, as one of the load's limits does not? */
static bool is_impossible(struct arena *arena, const struct shape *load, const struct taken *taken)
{
    int at = 0;

    for (int k = 0; k < load->limit.n; k++) {
        const struct way *limit = load->limit.at[k];
        int n = 0;
        for (int a = 0; a < limit->n_alternative; a++)
            n += is_decided(arena, load, taken, &load->choice.at[at + a], limit->none);
        if (limit->none ? n > 0 : n == limit->n_alternative)
            return true;
        at += limit->n_alternative;
    }
    return false;
}

/* The same where some conditions more hold: one of them after the other is taken to hold, and then not to. */
static bool stored_where(struct arena *arena, const struct shape *load, const stored_part_vec *parts,
                         const struct taken *taken)
{
    const struct condition *open = NULL;

    for (int k = 0; k < parts->n; k++) {
        const struct condition *own = first_open(arena, load, taken, &parts->at[k]);
        if (!own)
            return true;
        if (!open && !own->equal && own->affine && !is_nowhere(arena, load, taken, &parts->at[k]))
            open = own;
    }
    if (is_impossible(arena, load, taken))
        return true;
    for (int side = 0; open && taken->left > 0 && side < 2; side++) {
        struct taken with = {{0}, taken->left - 1};
        for (int k = 0; k < taken->more.n; k++)
            VEC_PUSH(arena, &with.more, taken->more.at[k]);
        VEC_PUSH(arena, &with.more,
                 ((struct condition){side ? stored_opposite(arena, open->affine) : open->affine, false}));
        if (!with.more.at[with.more.n - 1].affine || !stored_where(arena, load, parts, &with))
            return false;
    }
    return open && taken->left > 0;
}

bool stored_by_parts(struct arena *arena, const struct shape *load, const stored_part_vec *parts)
{
    return parts->n > 0 && stored_where(arena, load, parts, &(struct taken){{0}, MOST_CASES});
}
