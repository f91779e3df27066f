/* Sums that the threads of a warp make together: the first thread of a warp updates, or stores, the element with what
 * all of them have.
 *
 *     s_warps[t / 32] = the sum of x[i, t] over a warp       stored by t = 0, 32, .. for s[i]
 *     s[i] += the sum of s_warps[t] over a warp              t loads s_warps[t], which stands for a part of s[i]
 *
 * Shown is that all threads of a warp mean the same element, for the same, and that its first thread is there and makes
 * the update wherever one of them has a part in it; of parts of sums, that each is stored once and loaded once. */
#include "lower/finished/sources_parts.h"

/* Leaves that store parts of sums at a level, or load them. */
enum { MOST_PARTS = 8 };

/* A warp's leaf, and the position of a thread among those along x. */
struct warp {
    struct sourcing *s;
    const struct leaf *leaf;
    const struct var *position;
    const struct affine *first; /* that of the first thread */
};

/* What affine is in the first thread; NULL: numbers are too large. */
static const struct affine *in_first(const struct warp *warp, const struct affine *affine)
{
    return affine && affine_uses(affine, warp->position)
               ? affine_substitute(warp->s->arena, affine, warp->position, warp->first)
               : affine;
}

static bool is_same_in_first(const struct warp *warp, const struct affine *affine)
{
    const struct affine *first = in_first(warp, affine);

    return first && affine_equal(first, affine);
}

bool sources_are_known(struct sourcing *s, const struct leaf *leaf, const struct affine *const *affine, int n)
{
    const struct leaf own = {leaf->way, leaf->node, leaf->statement, affine, n};
    const struct side side = {.from = NULL};
    struct shape shape;
    bool known = true;

    for (int k = 0; k < n; k++)
        known = known && affine[k];
    if (n == 0 || !known)
        return known;
    if (!shape_of(s->arena, &side, &own, INT32_MAX, &shape))
        return false;
    shape_find_implied(&shape);
    for (int k = 0; k < n && known; k++)
        known = stored_known(s->arena, &shape, &(condition_vec){0}, shape.argument[k], false);
    return known;
}

/* Sets the position's variable; false: the position is not counted by one. */
static bool find_position(struct warp *warp)
{
    const struct node *node = warp->leaf->node;
    const struct affine *at = way_value(&warp->s->ways, warp->leaf->way, node->lower);

    if (!at || at->constant != 0 || at->n_term != 1 || at->term->factor != 1 || at->term->atom->kind != ATOM_VAR)
        return false;
    warp->position = at->term->atom->var;
    warp->first = affine_floor(warp->s->arena, at, node->warp_sum->warp);
    warp->first = warp->first ? affine_scale(warp->s->arena, warp->first, node->warp_sum->warp) : NULL;
    return warp->first;
}

typedef VEC(const struct affine *) affine_vec;

/* Adds what must be at least 0 for the first thread to be there, too. False: that is not of inequalities. */
static bool add_limits_in_first(const struct warp *warp, const struct way *way, affine_vec *needed)
{
    bool good = true;

    for (; way && good; way = way->outer)
        for (int a = 0; way->kind == WAY_LIMIT && a < way->n_alternative && good; a++)
            for (int k = 0; k < way->alternative[a].n && good; k++) {
                const struct condition *condition = &way->alternative[a].condition[k];
                if (!affine_uses(condition->affine, warp->position))
                    continue;
                good = way->n_alternative == 1 && !way->none && !condition->equal;
                VEC_PUSH(warp->s->arena, needed, in_first(warp, condition->affine));
            }
    return good;
}

/* way, in threads whose first one makes the update. Adds what must be at least 0 for that. NULL: it has no values. */
static const struct way *where_updated(const struct warp *warp, const struct way *way, affine_vec *needed)
{
    const struct warp_sum *sum = warp->leaf->node->warp_sum;

    for (int k = 0; sum->update && !sum->scattered && k < sum->update->n && way; k++) {
        const struct condition *condition = &sum->update->condition[k];
        const struct affine *value = in_first(warp, way_value(&warp->s->ways, way, condition->affine));
        if (condition->equal || !value)
            return NULL;
        VEC_PUSH(warp->s->arena, needed, value);
        value = affine_gcd(value) > 1 ? affine_floor(warp->s->arena, value, affine_gcd(value)) : value;
        way = way_with_least(&warp->s->ways, way, value);
    }
    return way;
}

bool sources_store_of_warp(struct sourcing *s, const struct way *around, struct party *party)
{
    struct warp warp = {.s = s, .leaf = &party->leaf};
    affine_vec needed = {0};
    const struct way *way;

    if (party->leaf.node->n_inner > 0 || !find_position(&warp) || !add_limits_in_first(&warp, around, &needed))
        return false;
    for (int k = 0; k < party->n_index + party->n_of; k++)
        if (!is_same_in_first(&warp, party->index[k]))
            return false;
    way = where_updated(&warp, around, &needed);
    if (!way || !sources_are_known(s, &party->leaf, needed.at, needed.n))
        return false;
    party->leaf.way = way;
    return true;
}

/* The party with its instance in the place of what it stands for: that of the first thread, where a warp stores. */
static bool with_instance(struct sourcing *s, const struct party *party, struct party *own)
{
    const struct leaf *leaf = &party->leaf;
    const int n = party->n_index, n_loop = leaf->n_argument;
    const struct affine **index = ARENA_ARRAY(s->arena, n + n_loop + 1, const struct affine *);
    struct warp warp = {.s = s, .leaf = leaf};
    const bool first = leaf->node->warp_sum && party->meaning->stores;

    *own = *party;
    own->index = index;
    own->n_of = n_loop;
    if (first && !find_position(&warp))
        return false;
    for (int k = 0; k < n + n_loop; k++) {
        index[k] = k < n ? party->index[k] : first ? in_first(&warp, leaf->argument[k - n]) : leaf->argument[k - n];
        if (!index[k])
            return false;
    }
    return true;
}

/* Is an element of one of the list in one instance only? All are of one statement. */
static bool are_apart(struct sourcing *s, const struct way *around, const party_vec *list)
{
    for (int a = 0; a < list->n; a++)
        for (int b = 0; b <= a; b++) {
            struct party one, other;
            stored_part_vec parts = {0};
            const struct shape *shape, *with;
            if (list->at[a].leaf.statement != list->at[b].leaf.statement || !with_instance(s, &list->at[a], &one) ||
                !with_instance(s, &list->at[b], &other))
                return false;
            shape = sources_shape(s, around, &one, true);
            with = sources_shape(s, around, &other, false);
            if (!shape || !with || same_stored(s->arena, shape, with, one.n_index, &parts) == STORED_UNKNOWN)
                return false;
        }
    return true;
}

/* Is all that the store stores loaded? */
static bool is_loaded(struct sourcing *s, const struct way *around, const struct party *store, const party_vec *loads)
{
    const struct shape *one = sources_shape(s, around, store, true);
    stored_part_vec parts = {0};

    for (int k = 0; k < loads->n && one; k++) {
        const struct shape *own = sources_shape(s, around, &loads->at[k], false);
        if (!own || same_stored(s->arena, one, own, store->n_index, &parts) == STORED_UNKNOWN)
            return false;
    }
    return one && stored_by_parts(s->arena, one, &parts);
}

/* The parties of the array. */
static party_vec of_array(struct sourcing *s, const party_vec *list, const struct party *like)
{
    party_vec own = {0};

    for (int k = 0; k < list->n; k++)
        if (sources_same_array(&list->at[k], like))
            VEC_PUSH(s->arena, &own, list->at[k]);
    return own;
}

bool sources_are_summed(struct sourcing *s, const struct level *level, const struct party *load)
{
    const party_vec loads = of_array(s, &level->loads, load), stores = of_array(s, &level->stores, load);
    bool all = loads.n <= MOST_PARTS && stores.n <= MOST_PARTS && are_apart(s, level->way, &loads) &&
               are_apart(s, level->way, &stores);

    for (int k = 0; k < stores.n && all; k++)
        all = stores.at[k].stop < load->stop && is_loaded(s, level->way, &stores.at[k], &loads);
    for (int k = 0; k < stores.n && all; k++)
        *stores.at[k].summed = true;
    return all;
}
