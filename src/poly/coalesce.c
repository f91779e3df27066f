#include "poly/coalesce.h"

#include "poly/same.h"

#include <isl/space.h>
#include <stdbool.h>

/* May isl be wrong about its pieces? It is right where there are no quotients. */
static bool is_doubtful(__isl_keep isl_set *set)
{
    return isl_set_n_basic_set(set) > 1 && isl_set_involves_locals(set) != isl_bool_false;
}

/* The pieces of a set without quotients, and the others. */
struct halves {
    isl_set *plain, *other;
};

static isl_stat divide(__isl_take isl_basic_set *piece, void *user)
{
    struct halves *halves = user;
    isl_set *set = isl_set_from_basic_set(piece);
    const isl_bool locals = isl_set_involves_locals(set);

    if (locals == isl_bool_true)
        halves->other = isl_set_union(halves->other, set);
    else
        halves->plain = isl_set_union(halves->plain, set);
    return locals < 0 ? isl_stat_error : isl_stat_ok;
}

/* old, where fusing its pieces with quotients has failed. */
static __isl_give isl_set *coalesce_plain(__isl_take isl_set *old)
{
    isl_set *empty = isl_set_empty(isl_set_get_space(old));
    struct halves halves = {empty, isl_set_copy(empty)};

    if (isl_set_foreach_basic_set(old, divide, &halves) < 0)
        halves.plain = isl_set_free(halves.plain);
    isl_set_free(old);
    return isl_set_union(isl_set_coalesce(halves.plain), halves.other);
}

__isl_give isl_set *poly_set_coalesce(__isl_take isl_set *set)
{
    isl_set *old = is_doubtful(set) ? isl_set_copy(set) : NULL;
    isl_bool equal;

    set = isl_set_coalesce(set);
    if (!old)
        return set;
    equal = poly_same(set, old);
    if (equal == isl_bool_true) {
        isl_set_free(old);
        return set;
    }
    isl_set_free(set);
    return equal < 0 ? isl_set_free(old) : coalesce_plain(old);
}

__isl_give isl_map *poly_map_coalesce(__isl_take isl_map *map)
{
    return isl_set_unwrap(poly_set_coalesce(isl_map_wrap(map)));
}

__isl_give isl_map *poly_pairs_coalesce(__isl_take isl_map *pairs)
{
    enum { FEW = 8 };
    isl_set *set = isl_map_wrap(pairs);

    return isl_set_unwrap(isl_set_n_basic_set(set) > FEW && is_doubtful(set) ? set : poly_set_coalesce(set));
}

static isl_stat add_coalesced(__isl_take isl_map *pairs, void *user)
{
    isl_union_map **all = user;

    *all = isl_union_map_add_map(*all, poly_pairs_coalesce(pairs));
    return *all ? isl_stat_ok : isl_stat_error;
}

__isl_give isl_union_map *poly_union_pairs_coalesce(__isl_take isl_union_map *pairs)
{
    isl_union_map *all = isl_union_map_empty(isl_union_map_get_space(pairs));

    if (isl_union_map_foreach_map(pairs, add_coalesced, &all) < 0)
        all = isl_union_map_free(all);
    isl_union_map_free(pairs);
    return all;
}

struct pieces {
    int n;       /* basic sets of all domains */
    bool locals; /* one of them has a quotient */
};

static isl_stat count(__isl_take isl_set *set, __isl_take isl_multi_aff *value, void *user)
{
    struct pieces *pieces = user;

    pieces->n += isl_set_n_basic_set(set);
    pieces->locals = pieces->locals || isl_set_involves_locals(set) != isl_bool_false;
    isl_set_free(set);
    isl_multi_aff_free(value);
    return isl_stat_ok;
}

static struct pieces pieces_of(__isl_keep isl_pw_multi_aff *pma)
{
    struct pieces pieces = {0, false};

    isl_pw_multi_aff_foreach_piece(pma, count, &pieces);
    return pieces;
}

/* Where a function has one of its values. */
struct place {
    isl_multi_aff *value;
    isl_set *set;
};

static isl_stat add_place(__isl_take isl_set *set, __isl_take isl_multi_aff *value, void *user)
{
    struct place *place = user;

    if (isl_multi_aff_plain_is_equal(value, place->value) == isl_bool_true)
        place->set = isl_set_union(place->set, set);
    else
        isl_set_free(set);
    isl_multi_aff_free(value);
    return place->set ? isl_stat_ok : isl_stat_error;
}

static __isl_give isl_set *place_of(__isl_keep isl_multi_aff *value, __isl_keep isl_pw_multi_aff *pma)
{
    struct place place = {value, isl_set_empty(isl_space_domain(isl_multi_aff_get_space(value)))};

    if (isl_pw_multi_aff_foreach_piece(pma, add_place, &place) < 0)
        place.set = isl_set_free(place.set);
    return place.set;
}

/* Is what has become a piece all that had its value before? */
static isl_stat is_old_place(__isl_take isl_set *set, __isl_take isl_multi_aff *value, void *user)
{
    isl_set *place = place_of(value, user);
    const isl_bool same = poly_same(set, place);

    isl_set_free(set);
    isl_set_free(place);
    isl_multi_aff_free(value);
    return same == isl_bool_true ? isl_stat_ok : isl_stat_error;
}

static isl_stat has_value(__isl_take isl_set *set, __isl_take isl_multi_aff *value, void *user)
{
    isl_set *place = place_of(value, user);
    const bool found = place && isl_set_n_basic_set(place) > 0;

    isl_set_free(set);
    isl_set_free(place);
    isl_multi_aff_free(value);
    return found ? isl_stat_ok : isl_stat_error;
}

/* Each value of old is one of pma, at the same places. */
static bool same_function(__isl_keep isl_pw_multi_aff *pma, __isl_keep isl_pw_multi_aff *old)
{
    return isl_pw_multi_aff_foreach_piece(old, has_value, pma) == isl_stat_ok &&
           isl_pw_multi_aff_foreach_piece(pma, is_old_place, old) == isl_stat_ok;
}

/* The same in an object of its own: isl's coalesce also changes what others have as the same. */
static __isl_give isl_pw_multi_aff *own_copy(__isl_keep isl_pw_multi_aff *pma)
{
    return isl_pw_multi_aff_neg(isl_pw_multi_aff_neg(isl_pw_multi_aff_copy(pma)));
}

__isl_give isl_pw_multi_aff *poly_pw_multi_aff_coalesce(__isl_take isl_pw_multi_aff *pma)
{
    const struct pieces pieces = pieces_of(pma);
    isl_pw_multi_aff *fused;

    if (pieces.n < 2 || !pieces.locals)
        return isl_pw_multi_aff_coalesce(pma);
    fused = isl_pw_multi_aff_coalesce(own_copy(pma));
    if (same_function(fused, pma)) {
        isl_pw_multi_aff_free(pma);
        return fused;
    }
    isl_pw_multi_aff_free(fused);
    return pma;
}

__isl_give isl_pw_aff *poly_pw_aff_coalesce(__isl_take isl_pw_aff *pa)
{
    isl_pw_multi_aff *pma = poly_pw_multi_aff_coalesce(isl_pw_multi_aff_from_pw_aff(pa));

    pa = isl_pw_multi_aff_get_pw_aff(pma, 0);
    isl_pw_multi_aff_free(pma);
    return pa;
}

static isl_stat add_coalesced_value(__isl_take isl_pw_aff *pa, void *user)
{
    isl_union_pw_aff **all = user;

    *all = isl_union_pw_aff_add_pw_aff(*all, poly_pw_aff_coalesce(pa));
    return *all ? isl_stat_ok : isl_stat_error;
}

__isl_give isl_union_pw_aff *poly_union_pw_aff_coalesce(__isl_take isl_union_pw_aff *upa)
{
    isl_union_pw_aff *all = isl_union_pw_aff_empty(isl_union_pw_aff_get_space(upa));

    if (isl_union_pw_aff_foreach_pw_aff(upa, add_coalesced_value, &all) < 0)
        all = isl_union_pw_aff_free(all);
    isl_union_pw_aff_free(upa);
    return all;
}
