#include "poly/coalesce.h"

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
    equal = isl_set_is_equal(set, old);
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

static isl_stat add_coalesced(__isl_take isl_map *map, void *user)
{
    isl_union_map **all = user;

    *all = isl_union_map_add_map(*all, poly_map_coalesce(map));
    return *all ? isl_stat_ok : isl_stat_error;
}

__isl_give isl_union_map *poly_union_map_coalesce(__isl_take isl_union_map *map)
{
    isl_union_map *all = isl_union_map_empty(isl_union_map_get_space(map));

    if (isl_union_map_foreach_map(map, add_coalesced, &all) < 0)
        all = isl_union_map_free(all);
    isl_union_map_free(map);
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

__isl_give isl_pw_multi_aff *poly_pw_multi_aff_coalesce(__isl_take isl_pw_multi_aff *pma)
{
    const struct pieces pieces = pieces_of(pma);
    isl_pw_multi_aff *old = isl_pw_multi_aff_copy(pma);
    isl_bool same = isl_bool_true;

    pma = isl_pw_multi_aff_coalesce(pma);
    if (pieces.n > 1 && pieces.locals)
        same = isl_pw_multi_aff_is_equal(pma, old);
    if (same == isl_bool_true) {
        isl_pw_multi_aff_free(old);
        return pma;
    }
    isl_pw_multi_aff_free(pma);
    return same < 0 ? isl_pw_multi_aff_free(old) : old;
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
