#include "plan/device/places.h"

#include "poly/keep.h"

#include <isl/map.h>
#include <isl/space.h>

#include <string.h>

struct places *places_new(struct arena *arena, __isl_take isl_union_map *position, int dims,
                          __isl_take isl_union_set *anyones)
{
    struct places *places = ARENA_NEW(arena, struct places);

    places->arena = arena;
    places->position = poly_keep_union_map(arena, position);
    places->dims = dims;
    places->anyones = poly_keep_union_set(arena, anyones);
    return places;
}

/* { S -> [p] } of the statement that pairs go from (isl_dim_in) or to. */
static __isl_give isl_map *position_in(const struct places *places, __isl_keep isl_map *pairs, enum isl_dim_type side)
{
    isl_space *space = isl_map_get_space(pairs);

    space = side == isl_dim_in ? isl_space_domain(space) : isl_space_range(space);
    space = isl_space_add_dims(isl_space_from_domain(space), isl_dim_out, (unsigned)places->dims);
    return isl_union_map_extract_map(places->position, space);
}

static __isl_give isl_map *compared(const struct places *places, __isl_keep isl_map *pairs, int dim, bool less)
{
    isl_map *from = position_in(places, pairs, isl_dim_in), *to = position_in(places, pairs, isl_dim_out);
    isl_map *order = isl_map_universe(isl_space_map_from_set(isl_space_range(isl_map_get_space(from))));

    order = less ? isl_map_order_lt(order, isl_dim_in, dim, isl_dim_out, dim)
                 : isl_map_order_gt(order, isl_dim_in, dim, isl_dim_out, dim);
    return isl_map_apply_range(isl_map_apply_range(from, order), isl_map_reverse(to));
}

/* Among all pairs of the two statements. */
static __isl_keep isl_map *piece_of(struct places *places, __isl_keep isl_map *pairs, int dim, bool less)
{
    const char *from = isl_map_get_tuple_name(pairs, isl_dim_in), *to = isl_map_get_tuple_name(pairs, isl_dim_out);
    struct piece piece = {.dim = dim, .less = less};

    for (int k = 0; k < places->piece.n; k++) {
        const struct piece *at = &places->piece.at[k];
        if (at->dim == dim && at->less == less && strcmp(at->from, from) == 0 && strcmp(at->to, to) == 0)
            return at->pairs;
    }
    piece.from = arena_printf(places->arena, "%s", from);
    piece.to = arena_printf(places->arena, "%s", to);
    piece.pairs = poly_keep_map(places->arena, compared(places, pairs, dim, less));
    VEC_PUSH(places->arena, &places->piece, piece);
    return piece.pairs;
}

struct question {
    struct places *places;
    bool blocks, found;
};

/* An answer that isl does not give is a pair. */
static bool has_apart(struct places *places, __isl_keep isl_map *pairs, bool blocks)
{
    for (int k = 2 * places->dims - 1; k >= 0; k--) {
        const int dim = k / 2;
        if (places->counts[dim] && (!blocks || !position_is_threads(dim)) &&
            isl_map_is_disjoint(pairs, piece_of(places, pairs, dim, k % 2)) != isl_bool_true)
            return true;
    }
    return false;
}

/* The answer for the same pairs, which may have been found in another way; NULL: there is none yet. */
static const struct answer *answered(const struct places *places, __isl_keep isl_map *pairs, bool blocks)
{
    uint32_t hash;

    for (int k = 0; k < places->answer.n; k++)
        if (places->answer.at[k].pairs == pairs && places->answer.at[k].blocks == blocks)
            return &places->answer.at[k];
    hash = isl_map_get_hash(pairs);
    for (int k = 0; k < places->answer.n; k++)
        if (places->answer.at[k].hash == hash && places->answer.at[k].blocks == blocks &&
            isl_map_plain_is_equal(places->answer.at[k].pairs, pairs) == isl_bool_true)
            return &places->answer.at[k];
    return NULL;
}

/* Stops at the first pair. */
static isl_stat find_apart(__isl_take isl_map *pairs, void *user)
{
    struct question *question = user;
    struct places *places = question->places;
    const struct answer *known = answered(places, pairs, question->blocks);
    struct answer answer = {pairs, isl_map_get_hash(pairs), question->blocks, false};

    if (known) {
        question->found = known->differ;
        isl_map_free(pairs);
        return question->found ? isl_stat_error : isl_stat_ok;
    }
    answer.differ = question->found = has_apart(places, poly_keep_map(places->arena, pairs), question->blocks);
    VEC_PUSH(places->arena, &places->answer, answer);
    return question->found ? isl_stat_error : isl_stat_ok;
}

/* Has one of the pairs an instance that any thread may run? */
static bool has_anyones(const struct places *places, __isl_keep isl_union_map *pairs)
{
    isl_union_set *used;
    isl_bool none;

    if (!places->anyones)
        return false;
    used = isl_union_set_union(isl_union_map_domain(isl_union_map_copy(pairs)),
                               isl_union_map_range(isl_union_map_copy(pairs)));
    none = isl_union_set_is_disjoint(used, places->anyones);
    isl_union_set_free(used);
    return none != isl_bool_true;
}

bool places_differ(struct places *places, __isl_keep isl_union_map *pairs, bool blocks)
{
    struct question question = {places, blocks, !blocks && has_anyones(places, pairs)};

    if (!question.found)
        isl_union_map_foreach_map(pairs, find_apart, &question);
    return question.found;
}
