#include "poly/same.h"

#include "poly/keep.h"

#include <isl/point.h>
#include <stdbool.h>

/* A basic set of one of the two sets. */
struct piece {
    isl_set *set;
    isl_set *point; /* of it, once it was asked for */
    uint32_t hash;
    bool shared; /* the other set has the same piece */
    bool inside; /* it is known to lie in the other set */
};

struct pieces {
    struct arena *arena; /* owns the sets */
    isl_set *whole;
    struct piece *piece;
    int n;
};

/* In the form that isl's coalesce mostly leaves unchanged pieces in. */
static isl_stat add_piece(__isl_take isl_basic_set *piece, void *user)
{
    struct pieces *pieces = user;
    isl_set *set = isl_set_from_basic_set(isl_basic_set_remove_redundancies(piece));

    pieces->piece[pieces->n++] =
        (struct piece){.set = poly_keep_set(pieces->arena, set), .hash = isl_set_get_hash(set)};
    return set ? isl_stat_ok : isl_stat_error;
}

static isl_stat divide(__isl_keep isl_set *set, struct arena *arena, struct pieces *pieces)
{
    const isl_size n = isl_set_n_basic_set(set);

    *pieces = (struct pieces){.arena = arena, .whole = set};
    if (n < 0)
        return isl_stat_error;
    pieces->piece = ARENA_ARRAY(arena, n, struct piece);
    return isl_set_foreach_basic_set(set, add_piece, pieces);
}

static void share(struct piece *a, struct piece *b)
{
    a->shared = a->inside = b->shared = b->inside = true;
}

static isl_stat find_shared(struct pieces *a, struct pieces *b)
{
    for (int i = 0; i < a->n; i++)
        for (int j = 0; j < b->n; j++) {
            isl_bool equal = isl_bool_false;
            if (a->piece[i].hash == b->piece[j].hash)
                equal = isl_set_plain_is_equal(a->piece[i].set, b->piece[j].set);
            if (equal < 0)
                return isl_stat_error;
            if (equal)
                share(&a->piece[i], &b->piece[j]);
        }
    return isl_stat_ok;
}

/* One point of a set; the set itself where it is empty. */
static __isl_give isl_set *point_of(__isl_keep isl_set *set)
{
    isl_point *point = isl_set_sample_point(isl_set_copy(set));

    if (isl_point_is_void(point) != isl_bool_true)
        return isl_set_from_point(point);
    isl_point_free(point);
    return isl_set_copy(set);
}

/* Does a piece lie in another? One point of it mostly tells that it does not. */
static isl_bool lies_in(struct arena *arena, struct piece *piece, const struct piece *other)
{
    isl_bool inside;

    if (!piece->point)
        piece->point = poly_keep_set(arena, point_of(piece->set));
    inside = isl_set_is_subset(piece->point, other->set);
    return inside == isl_bool_true ? isl_set_is_subset(piece->set, other->set) : inside;
}

/* Is a piece of coarse the union of those pieces of fine that lie in it? */
static isl_bool is_union(const struct piece *coarse, struct pieces *fine)
{
    isl_set *parts = isl_set_empty(isl_set_get_space(coarse->set));
    isl_bool all = isl_bool_false;

    for (int k = 0; parts && k < fine->n && all == isl_bool_false; k++) {
        isl_bool inside = fine->piece[k].shared ? isl_bool_false : lies_in(fine->arena, &fine->piece[k], coarse);
        if (inside < 0)
            parts = isl_set_free(parts);
        if (inside != isl_bool_true)
            continue;
        fine->piece[k].inside = true;
        all = isl_set_is_subset(coarse->set, fine->piece[k].set);
        parts = isl_set_union(parts, isl_set_copy(fine->piece[k].set));
    }
    if (all == isl_bool_false)
        all = isl_set_is_subset(coarse->set, parts);
    isl_set_free(parts);
    return all;
}

/* Do all pieces lie in the other set, which is fine where it is given? */
static isl_bool all_inside(const struct pieces *pieces, __isl_keep isl_set *other, struct pieces *fine)
{
    isl_bool inside = isl_bool_true;

    for (int k = 0; inside == isl_bool_true && k < pieces->n; k++) {
        const struct piece *piece = &pieces->piece[k];
        if (piece->inside)
            continue;
        inside = fine ? is_union(piece, fine) : isl_bool_false;
        if (inside == isl_bool_false)
            inside = isl_set_is_subset(piece->set, other);
    }
    return inside;
}

isl_bool poly_same(__isl_keep isl_set *coarse, __isl_keep isl_set *fine)
{
    struct arena *arena = arena_new();
    struct pieces a, b;
    isl_bool same = isl_bool_error;

    if (divide(coarse, arena, &a) == isl_stat_ok && divide(fine, arena, &b) == isl_stat_ok &&
        find_shared(&a, &b) == isl_stat_ok)
        same = all_inside(&a, fine, &b);
    if (same == isl_bool_true)
        same = all_inside(&b, coarse, NULL);
    arena_free(arena);
    return same;
}
