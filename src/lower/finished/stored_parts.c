/* Do the parts that several stores have of a load together have all of it? What is known of the load decides their
 * conditions; those that are left are taken to hold, and not to, one inside of the other. */
#include "lower/finished/same_stored.h"

/* Conditions that are taken to hold, and not to, one inside of the other. */
enum { MOST_CASES = 5 };

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

/* Is nothing loaded where that is taken to hold, as one of the load's limits does not, or a parameter is too small? */
static bool is_impossible(struct arena *arena, const struct shape *load, const struct taken *taken)
{
    int at = 0;

    for (int k = load->implied.n - load->n_least; k < load->implied.n && taken->more.n > 0; k++)
        if (never_holds(arena, load, taken, &load->implied.at[k]))
            return true;
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
    return parts->n > 0 && !stored_misses(load, parts) &&
           stored_where(arena, load, parts, &(struct taken){{0}, MOST_CASES});
}
