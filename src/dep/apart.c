#include "dep/apart.h"

#include "poly/union.h"

#include <isl/lp.h>
#include <isl/map.h>
#include <isl/mat.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

#include <stdbool.h>

struct division {
    isl_union_pw_aff *time;
    unsigned wanted;
    const struct agreement *agreement; /* what the pairs are restricted by */
    struct agreement *next;            /* NULL: those at once are restricted themselves */
    bool told;                         /* all pairs of the space at hand say themselves that they are at once */
    struct apart apart;
    isl_union_map *open;               /* of times in several pieces, or of none */
    isl_aff *between;                  /* time between the two, in the space at hand */
    isl_basic_set_list *part[N_PAIRS]; /* of that space */
};

static __isl_give isl_pw_aff *time_in(__isl_keep isl_union_pw_aff *time, __isl_take isl_space *instances)
{
    return isl_union_pw_aff_extract_pw_aff(time, isl_space_add_dims(isl_space_from_domain(instances), isl_dim_out, 1));
}

static isl_stat take_aff(__isl_take isl_set *domain, __isl_take isl_aff *aff, void *user)
{
    isl_set_free(domain);
    *(isl_aff **)user = aff;
    return isl_stat_ok;
}

/* The time of the instances that at maps to, as one expression; NULL when it has several pieces. */
static __isl_give isl_aff *time_at(__isl_keep isl_union_pw_aff *time, __isl_take isl_multi_aff *at)
{
    isl_pw_aff *pieces = time_in(time, isl_space_range(isl_multi_aff_get_space(at)));
    isl_aff *aff = NULL;

    if (isl_pw_aff_n_piece(pieces) == 1 && isl_pw_aff_foreach_piece(pieces, take_aff, &aff) == isl_stat_ok)
        aff = isl_aff_pullback_multi_aff(aff, isl_multi_aff_copy(at));
    isl_pw_aff_free(pieces);
    isl_multi_aff_free(at);
    return aff;
}

/* Have all instances that are first (second) in pairs a time? isl restricts a band's to the instances below it where
 * these are several sets. */
static bool have_times(__isl_keep isl_union_pw_aff *time, __isl_keep isl_map *pairs, bool first)
{
    isl_space *space = isl_map_get_space(pairs);
    isl_set *instances, *timed;
    bool have;

    timed = isl_pw_aff_domain(time_in(time, first ? isl_space_domain(space) : isl_space_range(space)));
    have = isl_set_plain_is_universe(timed) == isl_bool_true;
    if (!have) {
        pairs = isl_map_copy(pairs);
        instances = first ? isl_map_domain(pairs) : isl_map_range(pairs);
        have = isl_set_is_subset(instances, timed) == isl_bool_true;
        isl_set_free(instances);
    }
    isl_set_free(timed);
    return have;
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

/* The equations of pairs that have no quotients, alone. */
static __isl_give isl_basic_set *equations(__isl_keep isl_basic_set *pairs)
{
    const isl_size n_div = isl_basic_set_dim(pairs, isl_dim_div), n = isl_basic_set_dim(pairs, isl_dim_all);
    const isl_size columns = n < 0 || n_div < 0 ? 0 : n + 1 - n_div;
    isl_mat *equal, *none = isl_mat_alloc(isl_basic_set_get_ctx(pairs), 0, (unsigned)columns);
    isl_basic_set *alone;

    pairs = isl_basic_set_copy(pairs);
    if (n_div > 0) {
        pairs = isl_basic_set_drop_constraints_involving_dims(pairs, isl_dim_div, 0, (unsigned)n_div);
        pairs = isl_basic_set_remove_divs(pairs);
    }
    equal = isl_basic_set_equalities_matrix(pairs, isl_dim_cst, isl_dim_param, isl_dim_set, isl_dim_div);
    alone = isl_basic_set_from_constraint_matrices(isl_basic_set_get_space(pairs), equal, none, isl_dim_cst,
                                                   isl_dim_param, isl_dim_set, isl_dim_div);
    isl_basic_set_free(pairs);
    return alone;
}

/* Is the time between the two 0 by an equation as simple as i' = i? */
static bool are_equal(__isl_keep isl_basic_set *pairs, __isl_keep isl_aff *between)
{
    isl_basic_set *equal = equations(pairs);
    bool all = true;

    for (int k = 0; k < N_PAIRS && all; k++)
        if (k != PAIRS_AT_ONCE) {
            isl_basic_set *some = where(isl_aff_copy(between), k);
            some = isl_basic_set_intersect(some, isl_basic_set_copy(equal));
            all = isl_basic_set_plain_is_empty(some) == isl_bool_true;
            isl_basic_set_free(some);
        }
    isl_basic_set_free(equal);
    return all;
}

static bool has_quotients(__isl_keep isl_aff *aff)
{
    return isl_aff_dim(aff, isl_dim_div) != 0;
}

/* The kinds that may occur among the pairs. Where all of them are at once and their constraints do not say so, the
 * equation is added for later questions, unless it has quotients. */
static unsigned kinds_among(struct division *division, __isl_keep isl_basic_set *pairs)
{
    isl_aff *between = division->between;
    unsigned kinds;

    if (are_equal(pairs, between))
        return 1u << PAIRS_AT_ONCE;
    kinds = signs_within(isl_basic_set_min_lp_val(pairs, between), isl_basic_set_max_lp_val(pairs, between));
    division->told = division->told && kinds == 1u << PAIRS_AT_ONCE && has_quotients(between);
    return kinds;
}

/* Of pairs, which have no other kinds than these, those of one kind. */
static __isl_give isl_basic_set *part_of(__isl_keep isl_basic_set *pairs, __isl_keep isl_aff *between, unsigned kinds,
                                         int kind)
{
    isl_basic_set *part = isl_basic_set_copy(pairs);

    if (kinds != 1u << kind || (kind == PAIRS_AT_ONCE && !has_quotients(between)))
        part = isl_basic_set_intersect(part, where(isl_aff_copy(between), kind));
    return part;
}

/* Keeps a part of pairs; of those at once, where the next agreement says that, all that may be. */
static void keep_part(struct division *division, int kind, __isl_keep isl_basic_set *pairs,
                      __isl_take isl_basic_set *part)
{
    if (kind == PAIRS_AT_ONCE && division->next) {
        isl_basic_set_free(part);
        part = isl_basic_set_copy(pairs);
    }
    division->part[kind] = isl_basic_set_list_add(division->part[kind], part);
}

/* Those at once come last: where there are no others, nobody needs to ask whether there are any. */
static void divide_pairs(struct division *division, __isl_keep isl_basic_set *pairs)
{
    static const int order[] = {PAIRS_EARLIER, PAIRS_LATER, PAIRS_AT_ONCE};
    isl_basic_set *agreeing = agreement_restrict(division->agreement, isl_basic_set_copy(pairs));
    unsigned kinds = kinds_among(division, agreeing);

    for (int k = 0; k < N_PAIRS; k++) {
        const unsigned bit = 1u << order[k];
        isl_basic_set *part;
        if (!(kinds & division->wanted & bit))
            continue;
        part = part_of(agreeing, division->between, kinds, order[k]);
        if (kinds != bit && isl_basic_set_is_empty(part) == isl_bool_true) {
            kinds &= ~bit;
            isl_basic_set_free(part);
        } else {
            keep_part(division, order[k], pairs, part);
        }
    }
    isl_basic_set_free(agreeing);
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

static void note_agreement(struct division *division, __isl_keep isl_map *map)
{
    if (division->next)
        agreement_add(division->next, division->agreement, isl_space_wrap(isl_map_get_space(map)), division->between,
                      division->told);
}

static isl_stat divide_map(__isl_take isl_map *map, void *user)
{
    struct division *division = user;
    isl_stat stat;

    division->told = true;
    division->between = time_between(division->time, isl_map_get_space(map));
    if (division->between && !(have_times(division->time, map, true) && have_times(division->time, map, false)))
        division->between = isl_aff_free(division->between);
    if (!division->between) {
        note_agreement(division, map);
        division->open = isl_union_map_add_map(division->open, agreement_restrict_map(division->agreement, map));
        return isl_stat_ok;
    }
    division->between = agreement_reduce(division->agreement, division->between);
    for (int k = 0; k < N_PAIRS; k++)
        division->part[k] = isl_basic_set_list_alloc(isl_map_get_ctx(map), 1);
    stat = isl_map_foreach_basic_map(map, divide_basic_map, division);
    collect(division);
    note_agreement(division, map);
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

struct apart pairs_apart_agreeing(__isl_take isl_union_map *pairs, __isl_take isl_multi_union_pw_aff *time,
                                  unsigned wanted, const struct agreement *agreement, struct agreement *next)
{
    isl_union_map *none = isl_union_map_empty(isl_union_map_get_space(pairs));
    struct division division = {.time = isl_multi_union_pw_aff_get_at(time, 0),
                                .wanted = wanted,
                                .agreement = agreement,
                                .next = next,
                                .open = none};
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

struct apart pairs_apart(__isl_take isl_union_map *pairs, __isl_take isl_multi_union_pw_aff *time, unsigned wanted)
{
    return pairs_apart_agreeing(pairs, time, wanted, NULL, NULL);
}

__isl_give isl_union_map *pairs_at_once(__isl_take isl_union_map *pairs, __isl_take isl_multi_union_pw_aff *time)
{
    return pairs_apart(pairs, time, 1u << PAIRS_AT_ONCE).pairs[PAIRS_AT_ONCE];
}

struct agreeing pairs_together(struct arena *arena, __isl_take isl_union_map *pairs, isl_union_pw_aff *const *time,
                               int n)
{
    struct agreeing at_once = {pairs, NULL};

    for (int k = 0; k < n; k++) {
        struct agreement *next = agreement_new(arena);
        isl_multi_union_pw_aff *own = isl_multi_union_pw_aff_from_union_pw_aff(isl_union_pw_aff_copy(time[k]));
        at_once.pairs =
            pairs_apart_agreeing(at_once.pairs, own, 1u << PAIRS_AT_ONCE, at_once.agreement, next).pairs[PAIRS_AT_ONCE];
        at_once.agreement = next;
    }
    return at_once;
}
