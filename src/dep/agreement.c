#include "dep/agreement.h"

#include "base/vec.h"
#include "poly/keep.h"

#include <isl/space.h>
#include <isl/val.h>

/* A time between the two instances that is 0. */
struct zero {
    isl_aff *between;
    bool told; /* the pairs say so */
};

/* Of the pairs in one space. */
struct common {
    isl_space *space;
    VEC(struct zero) zero;
    isl_basic_set *where; /* those that the pairs do not say; NULL: there are none */
};

struct agreement {
    struct arena *arena;
    VEC(struct common) common;
};

static void release_space(void *space)
{
    isl_space_free(space);
}

static void release_basic_set(void *set)
{
    isl_basic_set_free(set);
}

static const struct common *find_common(const struct agreement *agreement, __isl_keep isl_space *space)
{
    for (int k = 0; agreement && k < agreement->common.n; k++)
        if (isl_space_is_equal(agreement->common.at[k].space, space) == isl_bool_true)
            return &agreement->common.at[k];
    return NULL;
}

/* How many quotients it has; *some: the position of one of them. */
static int quotients(__isl_keep isl_aff *aff, int *some)
{
    const isl_size n = isl_aff_dim(aff, isl_dim_div);
    int found = 0;

    for (int k = 0; k < n; k++)
        if (isl_aff_coefficient_sgn(aff, isl_dim_div, k) != 0) {
            *some = k;
            found++;
        }
    return found;
}

/* Are they one expression, whatever other quotients there are? */
static bool is_same(__isl_take isl_aff *a, __isl_take isl_aff *b)
{
    isl_aff *rest = isl_aff_sub(a, b);
    const bool same = isl_aff_plain_is_zero(rest) == isl_bool_true;

    isl_aff_free(rest);
    return same;
}

/* The factor of a quotient in aff; 0: it has none such. */
static __isl_give isl_val *factor_of(__isl_keep isl_aff *aff, __isl_keep isl_aff *quotient)
{
    const isl_size n = isl_aff_dim(aff, isl_dim_div);

    for (int k = 0; k < n; k++) {
        isl_aff *own = isl_aff_get_div(aff, k);
        if (is_same(own, isl_aff_copy(quotient)))
            return isl_aff_get_coefficient_val(aff, isl_dim_div, k);
    }
    return isl_val_zero(isl_aff_get_ctx(aff));
}

/* between, with as much of zero added as leaves fewer quotients. */
static __isl_give isl_aff *reduced(__isl_take isl_aff *between, __isl_keep isl_aff *zero)
{
    int at = 0, ignored;
    isl_aff *quotient, *other;
    isl_val *factor;

    if (quotients(zero, &at) == 0 || quotients(between, &ignored) == 0)
        return between;
    quotient = isl_aff_get_div(zero, at);
    factor = isl_val_neg(factor_of(between, quotient));
    factor = isl_val_div(factor, isl_aff_get_coefficient_val(zero, isl_dim_div, at));
    isl_aff_free(quotient);
    other = isl_aff_add(isl_aff_copy(between), isl_aff_scale_val(isl_aff_copy(zero), factor));
    if (other && quotients(other, &ignored) < quotients(between, &ignored)) {
        isl_aff_free(between);
        return other;
    }
    isl_aff_free(other);
    return between;
}

__isl_give isl_aff *agreement_reduce(const struct agreement *agreement, __isl_take isl_aff *between)
{
    isl_space *space = isl_aff_get_domain_space(between);
    const struct common *common = find_common(agreement, space);

    isl_space_free(space);
    for (int k = 0; common && k < common->zero.n; k++)
        between = reduced(between, common->zero.at[k].between);
    return between;
}

__isl_give isl_basic_set *agreement_restrict(const struct agreement *agreement, __isl_take isl_basic_set *pairs)
{
    isl_space *space = isl_basic_set_get_space(pairs);
    const struct common *common = find_common(agreement, space);

    isl_space_free(space);
    if (common && common->where)
        pairs = isl_basic_set_intersect(pairs, isl_basic_set_copy(common->where));
    return pairs;
}

__isl_give isl_map *agreement_restrict_map(const struct agreement *agreement, __isl_take isl_map *pairs)
{
    isl_space *space = isl_space_wrap(isl_map_get_space(pairs));
    const struct common *common = find_common(agreement, space);

    isl_space_free(space);
    if (common && common->where)
        pairs =
            isl_map_intersect(pairs, isl_map_from_basic_map(isl_basic_set_unwrap(isl_basic_set_copy(common->where))));
    return pairs;
}

struct restriction {
    const struct agreement *agreement;
    isl_union_map *pairs;
};

static isl_stat add_restricted(__isl_take isl_map *map, void *user)
{
    struct restriction *restriction = user;

    restriction->pairs = isl_union_map_add_map(restriction->pairs, agreement_restrict_map(restriction->agreement, map));
    return restriction->pairs ? isl_stat_ok : isl_stat_error;
}

__isl_give isl_union_map *agreement_restrict_all(const struct agreement *agreement, __isl_take isl_union_map *pairs)
{
    struct restriction restriction = {agreement, NULL};

    if (!agreement)
        return pairs;
    restriction.pairs = isl_union_map_empty(isl_union_map_get_space(pairs));
    if (isl_union_map_foreach_map(pairs, add_restricted, &restriction) < 0)
        restriction.pairs = isl_union_map_free(restriction.pairs);
    isl_union_map_free(pairs);
    return restriction.pairs;
}

struct agreement *agreement_new(struct arena *arena)
{
    struct agreement *agreement = ARENA_NEW(arena, struct agreement);

    agreement->arena = arena;
    return agreement;
}

/* Two quotients, one less the other. */
struct difference {
    isl_aff *first, *second; /* floor(second) - floor(first); owned */
};

/* Is it such a difference and nothing else? */
static bool is_difference(__isl_keep isl_aff *aff, struct difference *difference)
{
    const isl_size n = isl_aff_dim(aff, isl_dim_div);
    isl_aff *rest = isl_aff_copy(aff);
    int found = 0;

    *difference = (struct difference){NULL, NULL};
    for (int k = 0; k < n; k++) {
        isl_val *factor = isl_aff_get_coefficient_val(aff, isl_dim_div, k);
        isl_aff **side = isl_val_is_one(factor) == isl_bool_true ? &difference->second : &difference->first;
        if (isl_val_is_zero(factor) == isl_bool_false) {
            found++;
            rest = isl_aff_sub(rest, isl_aff_scale_val(isl_aff_floor(isl_aff_get_div(aff, k)), isl_val_copy(factor)));
            if (!*side && (isl_val_is_one(factor) == isl_bool_true || isl_val_is_negone(factor) == isl_bool_true))
                *side = isl_aff_get_div(aff, k);
        }
        isl_val_free(factor);
    }
    const bool is =
        found == 2 && difference->first && difference->second && isl_aff_plain_is_zero(rest) == isl_bool_true;
    isl_aff_free(rest);
    return is;
}

static void free_difference(struct difference *difference)
{
    isl_aff_free(difference->first);
    isl_aff_free(difference->second);
}

/* By what a is to be multiplied so that it may be b, as its first factor says; NULL: none. */
static __isl_give isl_val *ratio(__isl_keep isl_aff *a, __isl_keep isl_aff *b)
{
    static const enum isl_dim_type type[] = {isl_dim_in, isl_dim_param};

    for (int t = 0; t < 2; t++)
        for (int k = 0; k < isl_aff_dim(a, type[t]); k++)
            if (isl_aff_coefficient_sgn(a, type[t], k) != 0)
                return isl_val_div(isl_aff_get_coefficient_val(b, type[t], k),
                                   isl_aff_get_coefficient_val(a, type[t], k));
    return NULL;
}

/* Is b a times factor? */
static bool is_multiple(__isl_keep isl_aff *a, __isl_keep isl_aff *b, __isl_keep isl_val *factor)
{
    return is_same(isl_aff_scale_val(isl_aff_copy(a), isl_val_copy(factor)), isl_aff_copy(b));
}

/* Are floor(d) and floor(d') equal where floor(g) and floor(g') are, because d = g / n and d' = g' / n? */
static bool is_coarser(const struct difference *d, const struct difference *g)
{
    isl_val *factor = ratio(d->first, g->first);
    const bool coarser = factor && isl_val_is_int(factor) == isl_bool_true && isl_val_is_pos(factor) == isl_bool_true &&
                         is_multiple(d->first, g->first, factor) && is_multiple(d->second, g->second, factor);

    isl_val_free(factor);
    return coarser;
}

/* Are d and d' equal where between is 0? */
static bool is_between(const struct difference *d, __isl_keep isl_aff *between)
{
    isl_aff *apart = isl_aff_sub(isl_aff_copy(d->second), isl_aff_copy(d->first));
    isl_val *factor = ratio(between, apart);
    const bool same = factor && is_multiple(between, apart, factor);

    isl_val_free(factor);
    isl_aff_free(apart);
    return same;
}

/* Is the older time between 0 wherever the newer one is? Yes only for tiles of tiles. */
static bool follows(__isl_keep isl_aff *older, __isl_keep isl_aff *newer)
{
    struct difference d, g = {NULL, NULL};
    bool follows = false;
    int ignored;

    if (is_difference(older, &d))
        follows =
            quotients(newer, &ignored) == 0 ? is_between(&d, newer) : is_difference(newer, &g) && is_coarser(&d, &g);
    free_difference(&d);
    free_difference(&g);
    return follows;
}

static void add_zero(struct agreement *agreement, struct common *common, __isl_keep isl_aff *between, bool told)
{
    isl_basic_set *set = told ? NULL : isl_aff_zero_basic_set(isl_aff_copy(between));

    VEC_PUSH(agreement->arena, &common->zero,
             ((struct zero){poly_keep_aff(agreement->arena, isl_aff_copy(between)), told}));
    if (!set)
        return;
    if (common->where)
        set = isl_basic_set_intersect(isl_basic_set_copy(common->where), set);
    common->where = set;
    arena_on_free(agreement->arena, release_basic_set, set);
}

void agreement_add(struct agreement *agreement, const struct agreement *old, __isl_take isl_space *pairs,
                   __isl_keep isl_aff *between, bool told)
{
    const struct common *before = find_common(old, pairs);
    struct common common = {.space = pairs};

    arena_on_free(agreement->arena, release_space, pairs);
    for (int k = 0; before && k < before->zero.n; k++) {
        const struct zero *zero = &before->zero.at[k];
        if (between && follows(zero->between, between))
            told = told && zero->told;
        else
            add_zero(agreement, &common, zero->between, zero->told);
    }
    if (between)
        add_zero(agreement, &common, between, told);
    VEC_PUSH(agreement->arena, &agreement->common, common);
}
