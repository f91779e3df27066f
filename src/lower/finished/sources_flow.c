/* Is the last store before a load, of all stores of its element, of what the load is of? Sets are asked, for the whole
 * tree at once, where no level of it shows it. Time is lexicographic: from the root to the leaf, the number of the stop
 * in the block, and the iteration of the loop that stands there.
 *
 *     t[0] = a[0]                    [0]
 *     for i = 1 to N - 1:            [1, i]
 *         b[i] = t[(i - 1) % 2]      [1, i, 0] loads what was stored at [1, i - 1, 1], and for i = 1 at [0]
 *         t[i % 2] = a[i]            [1, i, 1]
 *
 * Iterations that run at once have no time. In the load's own kernel or parallel loop, stores count in the load's block
 * or iteration, as others would race with it. Threads of a block may store for each other; all that is stored at the
 * last time has to be for the same. */
#include "lower/facts/over.h"
#include "lower/finished/sources_parts.h"
#include "poly/context.h"

#include <isl/map.h>

/* Stores of one array, isl's operations for each load, and loads for which these may be too few. */
enum { MOST_STORES = 64, MOST_OPERATIONS = 300000, MOST_UNDECIDED = 2 };

/* What iterations of one count are to each other. */
enum running {
    IN_TURN, /* one after the other */
    APART,   /* at once, and none touches what another one does */
    TOGETHER /* at once, for each other */
};

/* A count that is between one place and the next. */
struct counting {
    const struct way *count;
    enum running running;
    bool down;
};

typedef VEC(struct counting) counting_vec;
typedef VEC(const struct affine *) affine_vec;

/* What a store has to do with the load. */
struct pairing {
    affine_vec load_key, store_key;       /* are equal */
    affine_vec load_before, store_before; /* the load's are more, in lexicographic order */
    affine_vec time;                      /* of the store: [stop, iteration, stop, ..] */
    bool lost;                            /* others are in the place of a count that both have */
};

static const struct affine *number(struct sourcing *s, int64_t value)
{
    return affine_constant(s->arena, value);
}

static enum running running_of(const struct party *load, const struct stop *stop, enum axis axis)
{
    const struct node *node = stop->node;
    const bool shared = load->meaning->array->memory != MEMORY_LOCAL;

    if (axis != AXIS_NONE)
        return axis_is_thread(axis) && shared ? TOGETHER : APART;
    if (node->joined || (node->threads && !node->threads->doacross))
        return APART;
    return IN_TURN;
}

/* The counts of the way between the place and what stands in it, outermost last. */
static void steps_of(struct sourcing *s, const struct party *load, const struct nesting *place, counting_vec *steps)
{
    const struct way *way = place->inner ? place->inner->stop->way : place->stop->way;
    struct way_loop loop;

    for (; way != place->stop->way; way = way->outer) {
        const enum axis axis = way->axis != AXIS_NONE ? way->axis : place->stop->node->axis;
        if (way->kind != WAY_COUNT)
            continue;
        VEC_PUSH(s->arena, steps,
                 ((struct counting){.count = way,
                                    .running = running_of(load, place->stop, axis),
                                    .down = stop_loop(&s->ways, place->stop, &loop) && loop.step == -1}));
    }
}

/* Is there a block or a thread that others stand in the place of, where the array is not for all of them? */
static bool is_other(const struct party *party)
{
    for (const struct way *gone = party->leaf.way; gone; gone = gone->outer)
        for (const struct way *way = gone; gone->kind == WAY_GONE && way; way = way->outer)
            if (way->kind == WAY_COUNT && way->var == gone->var && way->axis != AXIS_NONE &&
                (party->meaning->array->memory == MEMORY_LOCAL ||
                 (party->meaning->array->memory == MEMORY_SHARED && !axis_is_thread(way->axis))))
                return true;
    return false;
}

/* Has the party what sets can tell? Adds what it uses that is no count of it. */
static bool is_told(struct sourcing *s, const struct party *party, var_vec *others)
{
    const struct way *inner = party->leaf.way;
    var_vec used = {0};

    if (way_has_digits(inner, NULL) || is_other(party) || party->n_of < 0)
        return false;
    for (int k = 0; k < party->n_index + party->n_of; k++)
        way_sets_add_vars(s->arena, party->index[k], &used);
    way_sets_add_vars_of(s->arena, inner, NULL, &used);
    for (int k = 0; k < used.n; k++) {
        if (way_sets_gone(inner, NULL, used.at[k]))
            return false;
        if (!way_sets_counts(inner, NULL, used.at[k]))
            way_sets_add_var(s->arena, used.at[k], others);
    }
    return true;
}

/* Of a stop that both are in: iterations of loops in order count, others are the same. */
static void pair_shared(struct sourcing *s, const struct party *load, const struct party *store,
                        const counting_vec *steps, bool declared, struct pairing *pairing)
{
    const bool inside = load->named && sources_is_around(store->leaf.way, load->from);
    const struct affine *time = number(s, 0);

    for (int k = steps->n - 1; k >= 0; k--) {
        const struct affine *count = affine_var(s->arena, steps->at[k].count->var);
        if (steps->at[k].running == TOGETHER)
            continue;
        pairing->lost = pairing->lost || way_sets_gone(load->leaf.way, NULL, steps->at[k].count->var) ||
                        way_sets_gone(store->leaf.way, NULL, steps->at[k].count->var);
        if (steps->at[k].running == APART || declared) {
            VEC_PUSH(s->arena, &pairing->load_key, count);
            VEC_PUSH(s->arena, &pairing->store_key, count);
            continue;
        }
        time = steps->at[k].down ? affine_scale(s->arena, count, -1) : count;
        if (inside && !sources_is_around(load->from, steps->at[k].count))
            continue;
        VEC_PUSH(s->arena, &pairing->load_before, time);
        VEC_PUSH(s->arena, &pairing->store_before, time);
    }
    VEC_PUSH(s->arena, &pairing->time, time);
}

/* When the store is from that place on. */
static void time_from(struct sourcing *s, const struct party *load, const struct nesting *place,
                      struct pairing *pairing)
{
    for (bool ordered = true; place && ordered; place = place->inner) {
        counting_vec steps = {0};
        const struct affine *time = number(s, 0);
        VEC_PUSH(s->arena, &pairing->time, number(s, place->index));
        steps_of(s, load, place, &steps);
        for (int k = 0; k < steps.n; k++) {
            ordered = ordered && steps.at[k].running == IN_TURN;
            time = affine_var(s->arena, steps.at[k].count->var);
            time = steps.at[k].down ? affine_scale(s->arena, time, -1) : time;
        }
        VEC_PUSH(s->arena, &pairing->time, ordered ? time : number(s, 0));
    }
}

/* Finds when the store is earlier than the load; false: never, or it is of another array of that name. */
static bool pair(struct sourcing *s, const struct party *load, const struct party *store, struct pairing *pairing)
{
    const struct nesting *own = store->place, *place = load->place;
    const bool inside = load->named && sources_is_around(store->leaf.way, load->from);

    for (; own && place && own->stop == place->stop; own = own->inner, place = place->inner) {
        counting_vec steps = {0};
        steps_of(s, load, own, &steps);
        VEC_PUSH(s->arena, &pairing->time, number(s, own->index));
        pair_shared(s, load, store, &steps, sources_declares(own->stop->node, load->meaning->array), pairing);
    }
    if (place && sources_declares(place->stop->node, load->meaning->array))
        return false;
    if (own && place && own->stop - own->index == place->stop - place->index && !inside) {
        VEC_PUSH(s->arena, &pairing->load_before, number(s, place->index));
        VEC_PUSH(s->arena, &pairing->store_before, number(s, own->index));
    }
    time_from(s, load, own, pairing);
    return pairing->load_before.n > 0;
}

/* [N] -> { [values] : of some instance of the party } */
static __isl_give isl_set *values_of(struct sourcing *s, const struct party *party, const var_vec *others,
                                     const affine_vec *values)
{
    var_vec own = way_sets_own(s->arena, party->leaf.way, NULL);
    isl_set *set = isl_set_copy(s->sets->program->context);

    set = way_sets_with(set, others);
    set = way_sets_with(set, &own);
    set = way_sets_where(s->arena, set, party->leaf.way, NULL);
    set = over_values(set, values->at, values->n);
    return way_sets_without(set, own.n + others->n);
}

/* What a store is for: what its meaning says, zeros, or something else than the load. */
enum serving { SERVES, SERVES_AS_ZERO, SERVES_NOT };

static enum serving serving_of(const struct party *load, const struct party *store)
{
    return store->zero ? SERVES_AS_ZERO : sources_same_meaning(store, load) ? SERVES : SERVES_NOT;
}

/* A store of the load's array, at some time no later than the load. */
struct earlier {
    const struct party *store;
    struct pairing pairing;
    var_vec others; /* that it uses, and that are no counts of it */
};

/* A load, and all that its instances have to do with stores: [of, index, .. what is compared ..]. */
struct flowing {
    struct sourcing *s;
    const struct party *load;
    affine_vec id;
    var_vec others; /* that it uses, and that are no counts of it */
    VEC(struct earlier) store;
    int n_time; /* coordinates of all times */
};

static int place_in(const affine_vec *list, const struct affine *affine)
{
    for (int k = 0; k < list->n; k++)
        if (affine_equal(list->at[k], affine))
            return k;
    return -1;
}

static void add_all(struct flowing *flowing, const struct affine *const *affine, int n)
{
    for (int k = 0; k < n; k++)
        if (place_in(&flowing->id, affine[k]) < 0)
            VEC_PUSH(flowing->s->arena, &flowing->id, affine[k]);
}

/* False: some store is not told. */
static bool find_stores(struct flowing *flowing, const struct level *level)
{
    const struct party *load = flowing->load;

    for (int k = 0; k < load->n_of; k++)
        VEC_PUSH(flowing->s->arena, &flowing->id, load->index[load->n_index + k]);
    add_all(flowing, load->index, load->n_index);
    for (int k = 0; k < level->stores.n; k++) {
        struct earlier earlier = {.store = &level->stores.at[k]};
        if (!sources_same_array(earlier.store, load))
            continue;
        if (flowing->store.n == MOST_STORES || !is_told(flowing->s, earlier.store, &earlier.others))
            return false;
        if (!pair(flowing->s, load, earlier.store, &earlier.pairing))
            continue;
        if (earlier.pairing.lost)
            return false;
        add_all(flowing, earlier.pairing.load_key.at, earlier.pairing.load_key.n);
        add_all(flowing, earlier.pairing.load_before.at, earlier.pairing.load_before.n);
        flowing->n_time = earlier.pairing.time.n > flowing->n_time ? earlier.pairing.time.n : flowing->n_time;
        VEC_PUSH(flowing->s->arena, &flowing->store, earlier);
    }
    return true;
}

static const struct affine *time_at(const struct flowing *flowing, int store, int k)
{
    const affine_vec *time = &flowing->store.at[store].pairing.time;

    return k < time->n ? time->at[k] : number(flowing->s, 0);
}

/* Leaves those coordinates of all times that tell stores apart, and the first one. */
static void shorten_times(struct flowing *flowing)
{
    struct arena *arena = flowing->s->arena;
    int n = 0;

    for (int k = 0; k < flowing->n_time; k++) {
        bool same = k > 0;
        for (int e = 0; e < flowing->store.n && same; e++)
            same = affine_is_constant(time_at(flowing, e, k), &(int64_t){0}) &&
                   affine_equal(time_at(flowing, e, k), time_at(flowing, 0, k));
        for (int e = 0; e < flowing->store.n && !same; e++) {
            affine_vec *time = &flowing->store.at[e].pairing.time;
            const struct affine *own = time_at(flowing, e, k);
            if (n == time->n)
                VEC_PUSH(arena, time, own);
            time->at[n] = own;
        }
        n += !same;
    }
    flowing->n_time = n;
}

/* All of the store that is looked at: [index, .. what is compared .., time, serving, of]. */
static affine_vec values_of_store(const struct flowing *flowing, const struct earlier *earlier)
{
    struct arena *arena = flowing->s->arena;
    const struct pairing *pairing = &earlier->pairing;
    const struct party *load = flowing->load, *store = earlier->store;
    const enum serving serving = serving_of(load, store);
    affine_vec values = {0};

    for (int k = 0; k < load->n_index; k++)
        VEC_PUSH(arena, &values, store->index[k]);
    for (int k = 0; k < pairing->store_key.n; k++)
        VEC_PUSH(arena, &values, pairing->store_key.at[k]);
    for (int k = 0; k < pairing->store_before.n; k++)
        VEC_PUSH(arena, &values, pairing->store_before.at[k]);
    for (int k = 0; k < flowing->n_time; k++)
        VEC_PUSH(arena, &values, pairing->time.at[k]);
    VEC_PUSH(arena, &values, number(flowing->s, serving));
    for (int k = 0; k < load->n_of; k++)
        VEC_PUSH(arena, &values, serving == SERVES ? store->index[store->n_index + k] : number(flowing->s, 0));
    return values;
}

static __isl_give isl_map *equate(__isl_take isl_map *map, const struct flowing *flowing, const struct affine *load,
                                  int out)
{
    return isl_map_equate(map, isl_dim_in, place_in(&flowing->id, load), isl_dim_out, out);
}

/* [N] -> { id -> [time, serving, of] : the load is later than such an instance of the store } */
static __isl_give isl_map *where_later(const struct flowing *flowing, __isl_keep isl_set *loads,
                                       const struct earlier *earlier)
{
    const affine_vec values = values_of_store(flowing, earlier);
    const struct pairing *pairing = &earlier->pairing;
    const int n_index = flowing->load->n_index, n_same = n_index + pairing->load_key.n;
    isl_set *stores = values_of(flowing->s, earlier->store, &earlier->others, &values);
    isl_map *map = isl_map_from_domain_and_range(isl_set_copy(loads), stores), *later, *any;

    for (int k = 0; k < n_index; k++)
        map = equate(map, flowing, flowing->load->index[k], k);
    for (int k = 0; k < pairing->load_key.n; k++)
        map = equate(map, flowing, pairing->load_key.at[k], n_index + k);
    any = isl_map_empty(isl_map_get_space(map));
    for (int k = 0; k < pairing->load_before.n; k++) {
        const struct affine *before = pairing->load_before.at[k];
        later =
            isl_map_order_gt(isl_map_copy(map), isl_dim_in, place_in(&flowing->id, before), isl_dim_out, n_same + k);
        any = isl_map_union(any, later);
        map = equate(map, flowing, before, n_same + k);
    }
    isl_map_free(map);
    return isl_map_project_out(any, isl_dim_out, 0, (unsigned)(n_same + pairing->load_before.n));
}

/* { id -> [time, serving, of] : of another thing } */
static __isl_give isl_map *of_others(const struct flowing *flowing, __isl_take isl_map *map)
{
    const int n_of = flowing->load->n_of;
    isl_map *right = isl_map_fix_si(isl_map_copy(map), isl_dim_out, (unsigned)flowing->n_time, SERVES);

    for (int k = 0; k < n_of; k++)
        right = isl_map_equate(right, isl_dim_in, k, isl_dim_out, flowing->n_time + 1 + k);
    map = isl_map_subtract(map, right);
    if (!flowing->load->zeros_serve)
        return map;
    right = isl_map_fix_si(isl_map_copy(map), isl_dim_out, (unsigned)flowing->n_time, SERVES_AS_ZERO);
    return isl_map_subtract(map, right);
}

/* Stores of the load's element that are earlier: { id -> time }. */
struct stored_before {
    isl_map *time, *wrong; /* of all, and of those that are of something else */
    bool sure;             /* they happen */
};

typedef VEC(struct stored_before) stored_before_vec;

static void add_stored(const struct flowing *flowing, __isl_take isl_map *map, bool sure, stored_before_vec *before)
{
    const unsigned n = (unsigned)flowing->n_time, n_of = (unsigned)flowing->load->n_of + 1;
    isl_map *wrong = of_others(flowing, isl_map_copy(map));

    VEC_PUSH(flowing->s->arena, before,
             ((struct stored_before){.time = isl_map_project_out(map, isl_dim_out, n, n_of),
                                     .wrong = isl_map_project_out(wrong, isl_dim_out, n, n_of),
                                     .sure = sure}));
}

/* Is something that is sure to happen stored before each load? */
static isl_bool all_stored(__isl_take isl_set *loads, const stored_before_vec *before)
{
    isl_bool empty = isl_set_is_empty(loads);

    for (int k = before->n - 1; k >= 0 && empty == isl_bool_false; k--) {
        if (!before->at[k].sure)
            continue;
        loads = isl_set_subtract(loads, isl_map_domain(isl_map_copy(before->at[k].time)));
        empty = isl_set_is_empty(loads);
    }
    isl_set_free(loads);
    return empty;
}

/* The last time at which something that is sure to happen is stored: { id -> time }. */
static __isl_give isl_map *last_time(const stored_before_vec *before)
{
    isl_map *all = NULL;

    for (int k = 0; k < before->n; k++) {
        isl_map *own = before->at[k].sure ? isl_map_copy(before->at[k].time) : NULL;
        all = all && own ? isl_map_union(all, own) : own ? own : all;
    }
    return isl_map_lexmax(all);
}

/* Is all that is stored at the last such time, or may be later, for the same? */
static isl_bool last_serves(const stored_before_vec *before)
{
    isl_bool good = isl_bool_true;
    isl_map *last = NULL, *wrong;

    for (int k = 0; k < before->n && good == isl_bool_true; k++) {
        good = isl_map_is_empty(before->at[k].wrong);
        if (good != isl_bool_false)
            continue;
        wrong = isl_map_copy(before->at[k].wrong);
        if (!before->at[k].sure)
            wrong = isl_map_apply_range(wrong, isl_map_lex_ge(isl_space_range(isl_map_get_space(wrong))));
        last = last ? last : last_time(before);
        wrong = isl_map_intersect(wrong, isl_map_copy(last));
        good = isl_map_is_empty(wrong);
        isl_map_free(wrong);
    }
    isl_map_free(last);
    return good;
}

/* [N] -> { id -> [time, serving, of] }: what an array starts with, before all times. */
static __isl_give isl_map *first_zeros(const struct flowing *flowing, __isl_keep isl_set *loads)
{
    isl_map *map = isl_map_from_domain(isl_set_copy(loads));

    map = isl_map_add_dims(map, isl_dim_out, (unsigned)(flowing->n_time + 1 + flowing->load->n_of));
    for (int k = 0; k < flowing->n_time + 1 + flowing->load->n_of; k++)
        map = isl_map_fix_si(map, isl_dim_out, (unsigned)k, k == 0 ? -1 : k == flowing->n_time ? SERVES_AS_ZERO : 0);
    return map;
}

static bool starts_as_zeros(const struct flowing *flowing)
{
    const struct array *array = flowing->load->meaning->array;

    return flowing->load->zeros_serve && array->init_zero && !sources_declares(flowing->s->tree, array);
}

/* [N] -> { id : of some instance of the load } */
static __isl_give isl_set *loads_of(const struct flowing *flowing)
{
    return values_of(flowing->s, flowing->load, &flowing->others, &flowing->id);
}

static bool is_sure(const struct earlier *earlier)
{
    return earlier->store->sure && earlier->others.n == 0;
}

/* Is anything stored whatever data says? Else nothing can be shown of what is loaded. */
static bool has_sure(const struct flowing *flowing)
{
    bool sure = starts_as_zeros(flowing);

    for (int k = 0; k < flowing->store.n; k++)
        sure = sure || is_sure(&flowing->store.at[k]);
    return sure;
}

static isl_bool is_answered(const struct flowing *flowing)
{
    isl_set *loads = loads_of(flowing);
    stored_before_vec before = {0};
    isl_bool good;

    if (!has_sure(flowing)) {
        good = isl_set_is_empty(loads);
        isl_set_free(loads);
        return good;
    }
    if (starts_as_zeros(flowing))
        add_stored(flowing, first_zeros(flowing, loads), true, &before);
    for (int k = 0; k < flowing->store.n; k++) {
        const struct earlier *earlier = &flowing->store.at[k];
        add_stored(flowing, where_later(flowing, loads, earlier), is_sure(earlier), &before);
    }
    good = all_stored(loads, &before);
    if (good == isl_bool_true)
        good = last_serves(&before);
    for (int k = 0; k < before.n; k++) {
        isl_map_free(before.at[k].time);
        isl_map_free(before.at[k].wrong);
    }
    return good;
}

bool sources_answered_by_flow(struct sourcing *s, const struct level *level, const struct party *load)
{
    isl_ctx *ctx = s->sets->program->ctx;
    struct flowing flowing = {.s = s, .load = load, .n_time = 1};
    unsigned long budget;
    isl_bool good;

    if (*sources_why_lost(s, load->meaning->array) || load->meaning->partial || load->leaf.node->tensor ||
        !is_told(s, load, &flowing.others) || s->n_undecided == MOST_UNDECIDED || !find_stores(&flowing, level))
        return false;
    poly_begin(ctx);
    budget = poly_part_begin(ctx, MOST_OPERATIONS);
    shorten_times(&flowing);
    good = is_answered(&flowing);
    s->n_undecided += !poly_part_end(ctx, budget);
    return good == isl_bool_true;
}
