#include "dep/apart.h"

#include "poly/union.h"

#include <isl/lp.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

#include <stdbool.h>

struct division {
    isl_union_pw_aff *time;
    unsigned wanted;
    struct apart apart;
    isl_union_map *open;               /* of times in several pieces */
    isl_aff *between;                  /* time between the two, in the space at hand */
    isl_basic_set_list *part[N_PAIRS]; /* of that space */
};

/* The time of the instances that at maps to, as one expression; NULL when it has several pieces. */
static __isl_give isl_aff *time_at(__isl_keep isl_union_pw_aff *time, __isl_take isl_multi_aff *at)
{
    isl_space *space = isl_space_range(isl_multi_aff_get_space(at));
    isl_pw_aff *pieces;
    isl_aff *aff = NULL;

    space = isl_space_add_dims(isl_space_from_domain(space), isl_dim_out, 1);
    pieces = isl_union_pw_aff_extract_pw_aff(time, space);
    if (isl_pw_aff_isa_aff(pieces) == isl_bool_true)
        aff = isl_aff_pullback_multi_aff(isl_pw_aff_as_aff(isl_pw_aff_copy(pieces)), isl_multi_aff_copy(at));
    isl_pw_aff_free(pieces);
    isl_multi_aff_free(at);
    return aff;
}

static bool are_in_one_space(__isl_keep isl_aff *a, __isl_keep isl_aff *b)
{
    isl_space *space = isl_aff_get_domain_space(a), *other = isl_aff_get_domain_space(b);
    const bool equal = isl_space_is_equal(space, other) == isl_bool_true;

    isl_space_free(space);
    isl_space_free(other);
    return equal;
}

/* { [a -> b] -> [time(b) - time(a)] } over a space of pairs; NULL when it has several pieces. */
static __isl_give isl_aff *time_between(__isl_keep isl_union_pw_aff *time, __isl_take isl_space *pairs)
{
    isl_aff *first = time_at(time, isl_multi_aff_domain_map(isl_space_copy(pairs)));
    isl_aff *second = time_at(time, isl_multi_aff_range_map(pairs));

    if (first && second && are_in_one_space(first, second))
        return isl_aff_sub(second, first);
    isl_aff_free(first);
    isl_aff_free(second);
    return NULL;
}

/* The signs that a whole number within rational bounds can have. NaN: there are no pairs at all. */
static unsigned signs_within(__isl_take isl_val *low, __isl_take isl_val *high)
{
    unsigned signs = 0;

    if (!low || !high)
        signs = (1u << N_PAIRS) - 1;
    else if (isl_val_is_nan(low) == isl_bool_false && isl_val_is_nan(high) == isl_bool_false) {
        signs |= isl_val_cmp_si(high, 1) >= 0 ? 1u << PAIRS_EARLIER : 0;
        signs |= isl_val_cmp_si(high, 0) >= 0 && isl_val_cmp_si(low, 0) <= 0 ? 1u << PAIRS_AT_ONCE : 0;
        signs |= isl_val_cmp_si(low, -1) <= 0 ? 1u << PAIRS_LATER : 0;
    }
    isl_val_free(low);
    isl_val_free(high);
    return signs;
}

/* { [a -> b] } where the times between are of the kind. */
static __isl_give isl_basic_set *where(__isl_take isl_aff *between, int kind)
{
    if (kind == PAIRS_AT_ONCE)
        return isl_aff_zero_basic_set(between);
    return isl_aff_neg_basic_set(kind == PAIRS_LATER ? between : isl_aff_neg(between));
}

static void divide_pairs(struct division *division, __isl_keep isl_basic_set *pairs)
{
    const unsigned kinds = signs_within(isl_basic_set_min_lp_val(pairs, division->between),
                                        isl_basic_set_max_lp_val(pairs, division->between));

    for (int k = 0; k < N_PAIRS; k++) {
        isl_basic_set *some;
        if (!(kinds & division->wanted & 1u << k))
            continue;
        some = isl_basic_set_copy(pairs);
        if (kinds != 1u << k)
            some = isl_basic_set_intersect(some, where(isl_aff_copy(division->between), k));
        if (kinds != 1u << k && isl_basic_set_is_empty(some) == isl_bool_true)
            isl_basic_set_free(some);
        else
            division->part[k] = isl_basic_set_list_add(division->part[k], some);
    }
}

static isl_stat divide_basic_map(__isl_take isl_basic_map *map, void *user)
{
    isl_basic_set *pairs = isl_basic_map_wrap(map);

    divide_pairs(user, pairs);
    isl_basic_set_free(pairs);
    return isl_stat_ok;
}

/* Adds the parts to the pairs found; isl would compare them all for equal ones in a union of maps. */
static void collect(struct division *division)
{
    for (int k = 0; k < N_PAIRS; k++) {
        isl_basic_set_list *part = division->part[k];
        if (isl_basic_set_list_n_basic_set(part) == 0)
            isl_basic_set_list_free(part);
        else
            division->apart.pairs[k] =
                isl_union_map_add_map(division->apart.pairs[k], isl_set_unwrap(poly_union(part)));
    }
}

static isl_stat divide_map(__isl_take isl_map *map, void *user)
{
    struct division *division = user;
    isl_stat stat;

    division->between = time_between(division->time, isl_map_get_space(map));
    if (!division->between) {
        division->open = isl_union_map_add_map(division->open, map);
        return isl_stat_ok;
    }
    for (int k = 0; k < N_PAIRS; k++)
        division->part[k] = isl_basic_set_list_alloc(isl_map_get_ctx(map), 1);
    stat = isl_map_foreach_basic_map(map, divide_basic_map, division);
    collect(division);
    isl_aff_free(division->between);
    isl_map_free(map);
    return stat;
}

static __isl_give isl_union_map *ask_isl(__isl_take isl_union_map *pairs, __isl_take isl_multi_union_pw_aff *time,
                                         int kind)
{
    switch (kind) {
    case PAIRS_EARLIER:
        return isl_union_map_lex_lt_at_multi_union_pw_aff(pairs, time);
    case PAIRS_AT_ONCE:
        return isl_union_map_eq_at_multi_union_pw_aff(pairs, time);
    default:
        return isl_union_map_lex_gt_at_multi_union_pw_aff(pairs, time);
    }
}

/* Adds the answer for the pairs that are still open; NULL where an isl error has left some out. */
static void answer(struct division *division, __isl_keep isl_multi_union_pw_aff *time, int kind, isl_stat stat)
{
    isl_union_map **pairs = &division->apart.pairs[kind], *open = isl_union_map_copy(division->open);

    if (isl_union_map_is_empty(open) != isl_bool_true)
        open = ask_isl(open, isl_multi_union_pw_aff_copy(time), kind);
    *pairs = isl_union_map_union(*pairs, open);
    if (stat != isl_stat_ok)
        *pairs = isl_union_map_free(*pairs);
}

struct apart pairs_apart(__isl_take isl_union_map *pairs, __isl_take isl_multi_union_pw_aff *time, unsigned wanted)
{
    isl_union_map *none = isl_union_map_empty(isl_union_map_get_space(pairs));
    struct division division = {.time = isl_multi_union_pw_aff_get_at(time, 0), .wanted = wanted, .open = none};
    isl_stat stat;

    for (int k = 0; k < N_PAIRS; k++)
        if (wanted & 1u << k)
            division.apart.pairs[k] = isl_union_map_copy(none);
    stat = isl_union_map_foreach_map(pairs, divide_map, &division);
    for (int k = 0; k < N_PAIRS; k++)
        if (wanted & 1u << k)
            answer(&division, time, k, stat);
    isl_union_map_free(division.open);
    isl_union_map_free(pairs);
    isl_union_pw_aff_free(division.time);
    isl_multi_union_pw_aff_free(time);
    return division.apart;
}

__isl_give isl_union_map *pairs_at_once(__isl_take isl_union_map *pairs, __isl_take isl_multi_union_pw_aff *time)
{
    return pairs_apart(pairs, time, 1u << PAIRS_AT_ONCE).pairs[PAIRS_AT_ONCE];
}
