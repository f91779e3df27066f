#include "dep/parallel.h"

#include "dep/apart.h"
#include "dep/sure.h"

#include <isl/aff.h>
#include <isl/union_set.h>

/* Splits pairs that reach the band by its time. */
static struct apart band_apart(struct arena *arena, __isl_keep isl_schedule_node *band, struct agreeing *pairs)
{
    const unsigned all = 1u << PAIRS_EARLIER | 1u << PAIRS_AT_ONCE | 1u << PAIRS_LATER;
    struct agreement *next = agreement_new(arena);
    const struct apart apart = pairs_apart_agreeing(pairs->pairs, isl_schedule_node_band_get_partial_schedule(band),
                                                    all, pairs->agreement, next);

    *pairs = (struct agreeing){apart.pairs[PAIRS_AT_ONCE], next};
    return apart;
}

static struct agreeing at_one_time(struct arena *arena, __isl_keep isl_schedule_node *band, struct agreeing pairs)
{
    struct agreement *next = agreement_new(arena);
    const struct apart apart = pairs_apart_agreeing(pairs.pairs, isl_schedule_node_band_get_partial_schedule(band),
                                                    1u << PAIRS_AT_ONCE, pairs.agreement, next);

    return (struct agreeing){apart.pairs[PAIRS_AT_ONCE], next};
}

/* What the node itself leaves of pairs that reach it. */
static struct agreeing pass(struct arena *arena, __isl_keep isl_schedule_node *node, struct agreeing pairs)
{
    isl_union_set *filter;

    switch (isl_schedule_node_get_type(node)) {
    case isl_schedule_node_band:
        return at_one_time(arena, node, pairs);
    case isl_schedule_node_filter:
        filter = isl_schedule_node_filter_get_filter(node);
        pairs.pairs = isl_union_map_intersect_domain(pairs.pairs, isl_union_set_copy(filter));
        pairs.pairs = isl_union_map_intersect_range(pairs.pairs, filter);
        return pairs;
    case isl_schedule_node_error:
        pairs.pairs = isl_union_map_free(pairs.pairs);
        return pairs;
    default:
        return pairs;
    }
}

/* The pairs that all nodes above node leave together. */
static struct agreeing reaching(struct arena *arena, __isl_keep isl_schedule_node *node, struct agreeing pairs)
{
    isl_schedule_node *parent;

    if (isl_schedule_node_has_parent(node) != isl_bool_true)
        return pairs;
    parent = isl_schedule_node_parent(isl_schedule_node_copy(node));
    pairs = pass(arena, parent, reaching(arena, parent, pairs));
    isl_schedule_node_free(parent);
    return pairs;
}

/* The band at or directly below node. */
static __isl_give isl_schedule_node *next_band(__isl_take isl_schedule_node *node)
{
    while (isl_schedule_node_get_type(node) == isl_schedule_node_mark)
        node = isl_schedule_node_child(node, 0);
    return node;
}

/* Splits pairs that reach the loop into those that it carries (*carried) and the others. */
static __isl_give isl_union_map *walk_bands(__isl_keep isl_schedule_node *band, int n, __isl_take isl_union_map *pairs,
                                            isl_union_map **carried)
{
    struct arena *arena = arena_new();
    struct agreeing at_once = reaching(arena, band, (struct agreeing){pairs, NULL});
    isl_schedule_node *node = isl_schedule_node_copy(band);

    *carried = isl_union_map_empty(isl_union_map_get_space(at_once.pairs));
    for (int k = 0; k < n; k++) {
        struct apart apart;
        node = next_band(node);
        apart = band_apart(arena, node, &at_once);
        *carried = isl_union_map_union(*carried, apart.pairs[PAIRS_EARLIER]);
        *carried = isl_union_map_union(*carried, apart.pairs[PAIRS_LATER]);
        node = isl_schedule_node_child(node, 0);
    }
    isl_schedule_node_free(node);
    pairs = agreement_restrict_all(at_once.agreement, at_once.pairs);
    arena_free(arena);
    return pairs;
}

__isl_give isl_union_map *parallel_carried(__isl_keep isl_schedule_node *band, int n, __isl_take isl_union_map *pairs)
{
    isl_union_map *carried;

    isl_union_map_free(walk_bands(band, n, pairs, &carried));
    return carried;
}

__isl_give isl_union_map *parallel_within(__isl_keep isl_schedule_node *band, int n, __isl_take isl_union_map *pairs)
{
    isl_union_map *carried;

    pairs = walk_bands(band, n, pairs, &carried);
    isl_union_map_free(carried);
    return pairs;
}

/* Of pairs { (i1, j1) -> (i2, j2) } that the outermost of n loops carries, those with j2 before j1: the waits do not
 * order them. */
static __isl_give isl_union_map *not_ordered(__isl_keep isl_schedule_node *band, int n, __isl_take isl_union_map *pairs)
{
    struct arena *arena = arena_new();
    struct agreeing reached = reaching(arena, band, (struct agreeing){pairs, NULL});
    isl_schedule_node *node = next_band(isl_schedule_node_copy(band));
    struct apart apart = band_apart(arena, node, &reached);
    isl_union_map *unordered = apart.pairs[PAIRS_LATER];

    isl_union_map_free(reached.pairs);
    reached = (struct agreeing){apart.pairs[PAIRS_EARLIER], NULL};
    for (int k = 1; k < n; k++) {
        node = next_band(isl_schedule_node_child(node, 0));
        apart = band_apart(arena, node, &reached);
        unordered = isl_union_map_union(unordered, apart.pairs[PAIRS_LATER]);
        isl_union_map_free(apart.pairs[PAIRS_EARLIER]);
    }
    isl_union_map_free(reached.pairs);
    isl_schedule_node_free(node);
    arena_free(arena);
    return unordered;
}

static enum answer is_empty(__isl_take isl_union_map *map)
{
    const isl_bool empty = isl_union_map_is_empty(map);

    isl_union_map_free(map);
    return empty < 0 ? ANSWER_UNKNOWN : empty ? ANSWER_YES : ANSWER_NO;
}

static __isl_give isl_union_map *pairs_of(const struct dependence *dependence)
{
    return isl_union_map_from_map(isl_map_copy(dependence->map));
}

/* Does every read of the reference in the loop see a must-write of the same iteration of the loop? */
static bool reads_own_values(const struct dependences *dependences, __isl_keep isl_schedule_node *band, int n,
                             const struct reference *read)
{
    isl_union_map *unwritten = isl_union_map_from_map(isl_map_copy(read->map));

    unwritten = isl_union_map_intersect_domain(unwritten, isl_schedule_node_get_domain(band));
    for (int k = 0; k < dependences->n; k++) {
        const struct dependence *dependence = &dependences->list[k];
        isl_union_map *within;
        if (dependence->to != read || !dependence->from->writes)
            continue;
        within = isl_union_map_from_map(dependence_sure(dependences, dependence));
        within = isl_union_map_reverse(parallel_within(band, n, within));
        within = isl_union_map_apply_range(within, isl_union_map_from_map(isl_map_copy(dependence->from->map)));
        unwritten = isl_union_map_subtract(unwritten, within);
    }
    return is_empty(unwritten) == ANSWER_YES;
}

/* Could each iteration of the loop have this temporary for itself? */
static bool is_own(const struct dependences *dependences, __isl_keep isl_schedule_node *band, int n,
                   const struct array *array)
{
    if (array->role != ROLE_TEMP)
        return false;
    for (int k = 0; k < dependences->n_reference; k++) {
        const struct reference *reference = dependences->reference[k];
        if (reference->array == array && reference->reads && !reads_own_values(dependences, band, n, reference))
            return false;
    }
    return true;
}

__isl_give isl_union_map *parallel_shared(const struct dependences *dependences, __isl_keep isl_schedule_node *band,
                                          int n, __isl_take isl_union_map *pairs)
{
    isl_union_map *shared = isl_union_map_empty(isl_union_map_get_space(pairs));

    for (int a = 0; a < dependences->program->n_array; a++) {
        const struct array *array = &dependences->program->array[a];
        if (is_own(dependences, band, n, array))
            continue;
        for (int k = 0; k < dependences->n; k++)
            if (dependences->list[k].from->array == array && !dependences->list[k].reduction)
                shared = isl_union_map_union(shared, pairs_of(&dependences->list[k]));
    }
    return isl_union_map_intersect(pairs, shared);
}

/* The arrays that the carried pairs are about, if each iteration could have all of them for itself. */
static void find_own(struct arena *arena, const struct dependences *dependences, __isl_keep isl_schedule_node *band,
                     int n, __isl_keep isl_union_map *carried, struct parallel *parallel)
{
    VEC(const struct array *) own = {0};

    for (int k = 0; k < dependences->n; k++) {
        const struct dependence *dependence = &dependences->list[k];
        const struct array *array = dependence->from->array;
        isl_union_map *mine = isl_union_map_intersect(isl_union_map_copy(carried), pairs_of(dependence));
        bool known = is_empty(mine) == ANSWER_YES || dependence->reduction;
        for (int o = 0; o < own.n && !known; o++)
            known = own.at[o] == array;
        if (known)
            continue;
        if (!is_own(dependences, band, n, array))
            return;
        VEC_PUSH(arena, &own, array);
    }
    parallel->own = (const struct array *const *)own.at;
    parallel->n_own = own.n;
}

static void add_reductions(struct arena *arena, const struct dependences *dependences,
                           __isl_keep isl_schedule_node *band, int n, struct parallel *parallel)
{
    VEC(const struct dependence *) list = {0};

    for (int k = 0; k < dependences->n; k++) {
        const struct dependence *dependence = &dependences->list[k];
        enum answer empty;
        if (!dependence->reduction)
            continue;
        empty = is_empty(parallel_carried(band, n, pairs_of(dependence)));
        if (empty == ANSWER_UNKNOWN)
            parallel->answer = ANSWER_UNKNOWN;
        else if (empty == ANSWER_NO)
            VEC_PUSH(arena, &list, dependence);
    }
    parallel->reduction = list.at;
    parallel->n_reduction = list.n;
}

/* shared: the pairs that keep the first n_apart of the loop's n bands from running at once. */
static struct parallel answer_of(struct arena *arena, const struct dependences *dependences,
                                 __isl_keep isl_schedule_node *band, int n, int n_apart,
                                 __isl_take isl_union_map *shared)
{
    struct parallel parallel = {.answer = is_empty(isl_union_map_copy(shared))};

    if (parallel.answer == ANSWER_YES)
        add_reductions(arena, dependences, band, n_apart, &parallel);
    if (parallel.answer == ANSWER_NO) {
        find_own(arena, dependences, band, n, shared, &parallel);
        if (!legal_find_among(arena, dependences, shared, &parallel.carried))
            parallel.answer = ANSWER_UNKNOWN;
    }
    isl_union_map_free(shared);
    return parallel;
}

struct parallel parallel_loop(struct arena *arena, const struct dependences *dependences,
                              __isl_keep isl_schedule_node *band, int n)
{
    return answer_of(arena, dependences, band, n, n,
                     parallel_carried(band, n, isl_union_map_copy(dependences->required)));
}

struct parallel parallel_doacross(struct arena *arena, const struct dependences *dependences,
                                  __isl_keep isl_schedule_node *band, int n)
{
    return answer_of(arena, dependences, band, n, 1, not_ordered(band, n, isl_union_map_copy(dependences->required)));
}
