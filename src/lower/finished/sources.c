#include "lower/finished/sources.h"

#include "lower/finished/sources_parts.h"
#include "tree/visit.h"

#include <isl/set.h>

/* Leaves that one question may be about. */
enum { MOST_STORES = 256 };

bool sources_same_meaning(const struct party *a, const struct party *b)
{
    return a->n_of >= 0 && a->n_of == b->n_of && strcmp(a->meaning->of, b->meaning->of) == 0;
}

bool sources_same_array(const struct party *a, const struct party *b)
{
    return strcmp(a->meaning->array->name, b->meaning->array->name) == 0;
}

bool sources_is_around(const struct way *way, const struct way *place)
{
    for (; way; way = way->outer)
        if (way == place)
            return true;
    return false;
}

/* False: there are none, or some of something else. */
static bool find_choices(struct sourcing *s, struct level *level, const struct party *load, struct choices *choices)
{
    *choices = (struct choices){{0}, {0}};
    for (int k = 0; k < level->stores.n; k++) {
        struct party *store = &level->stores.at[k];
        if (!sources_same_array(store, load) || store->stop > load->stop)
            continue;
        if (!sources_may_serve(store, load) || choices->all.n == MOST_STORES)
            return false;
        store->front = store->stop < load->stop && (!load->named || !sources_is_around(store->leaf.way, load->from));
        VEC_PUSH(s->arena, &choices->all, *store);
        if (store->front)
            VEC_PUSH(s->arena, &choices->front, *store);
    }
    return choices->front.n > 0;
}

/* Are all elements zero from the start, and none stored for anything else? */
static bool is_zero_at(struct sourcing *s, const struct level *level, const struct party *load)
{
    return level->whole && load->zeros_serve && load->meaning->array->init_zero &&
           !sources_declares(s->tree, load->meaning->array) && sources_all_same(s, level, load);
}

/* What is quick to see comes first, what sets are asked last. */
static bool is_shown_at(struct sourcing *s, struct level *level, const struct party *load)
{
    const bool partial = load->meaning->partial;
    enum same_answer answer = SAME_NO;
    struct choices choices, left;

    if (load->n_of < 0 || *sources_why_lost(s, load->meaning->array))
        return false;
    if (sources_is_around(load->from, level->way) && find_choices(s, level, load, &choices))
        answer = sources_answered(s, level->way, load, &choices, &left);
    if (answer != SAME_YES && !partial && (sources_answered_before(s, level, load) || is_zero_at(s, level, load)))
        return true;
    if (answer == SAME_UNKNOWN && sources_answered_by_sets(s, level->way, load, &left))
        answer = SAME_YES;
    return answer == SAME_YES && (!partial || sources_are_summed(s, level, load));
}

/* Are both loads of the same element, for the same, at the same place? */
static bool is_same_load(const struct party *a, const struct party *b)
{
    bool same = a->leaf.way == b->leaf.way && a->from == b->from && a->named == b->named && a->stop == b->stop &&
                a->inner_stop == b->inner_stop && a->zeros_serve == b->zeros_serve && a->n_index == b->n_index &&
                !a->meaning->partial && !b->meaning->partial && !a->leaf.node->tensor && !b->leaf.node->tensor &&
                sources_same_array(a, b) && sources_same_meaning(a, b);

    for (int k = 0; k < a->n_index + a->n_of && same; k++)
        same = affine_equal(a->index[k], b->index[k]);
    return same;
}

/* Is load k of the level shown? shown: those before it. */
static bool is_shown(struct sourcing *s, struct level *level, const bool *shown, int k)
{
    for (int l = k - 1; l >= 0; l--)
        if (is_same_load(&level->loads.at[l], &level->loads.at[k]))
            return shown[l];
    return is_shown_at(s, level, &level->loads.at[k]);
}

static void walk(struct sourcing *s, const struct way *way, const stop_vec *stops, struct level *level);

/* What stands in the stop. */
static void enter(struct sourcing *s, const struct stop *stop, struct level *inside)
{
    if (stop_bodies(stop) == 0)
        sources_add_leaves(s, stop, &inside->loads, &inside->stores);
    for (int k = 0; k < stop_bodies(stop); k++) {
        struct level body = {0};
        stop_vec stops = {0};
        if (!stop_enter(&s->ways, stop, k, NULL, &stops)) {
            sources_lose_node(s, stop->node->child[k]);
            continue;
        }
        walk(s, stop->way, &stops, &body);
        for (int l = 0; l < body.loads.n; l++)
            VEC_PUSH(s->arena, &inside->loads, body.loads.at[l]);
        for (int l = 0; l < body.stores.n; l++)
            VEC_PUSH(s->arena, &inside->stores, body.stores.at[l]);
    }
}

/* The way that all stops share. */
static const struct way *shared_way(const stop_vec *stops, const struct way *way)
{
    for (const struct way *own = stops->n > 0 ? stops->at->way : NULL; own && own != way; own = own->outer) {
        bool shared = true;
        for (int k = 1; k < stops->n && shared; k++)
            shared = sources_is_around(stops->at[k].way, own);
        if (shared)
            return own;
    }
    return way;
}

/* The party at a level, in that stop of it. */
static struct party in_level(struct sourcing *s, const struct party *party, const stop_vec *stops, int stop)
{
    struct nesting *place = ARENA_NEW(s->arena, struct nesting);
    struct party own = *party;

    *place = (struct nesting){&stops->at[stop], stop, party->place};
    own.place = place;
    own.inner_stop = party->stop;
    own.in_turn = stops->at[stop].node->kind == NODE_IF;
    own.stop = stop;
    own.shaped = ARENA_NEW(s->arena, struct party_shape);
    *own.shaped = (struct party_shape){.asked = false};
    return own;
}

/* Sets level to what is loaded of stores further out, and to all that is stored. */
static void walk(struct sourcing *s, const struct way *way, const stop_vec *stops, struct level *level)
{
    party_vec open = {0};
    bool *shown;

    level->way = shared_way(stops, way);
    level->stops = stops;
    for (int k = 0; k < stops->n; k++) {
        struct level inside = {0};
        enter(s, &stops->at[k], &inside);
        for (int l = 0; l < inside.loads.n; l++)
            VEC_PUSH(s->arena, &level->loads, in_level(s, &inside.loads.at[l], stops, k));
        for (int l = 0; l < inside.stores.n; l++)
            VEC_PUSH(s->arena, &level->stores, in_level(s, &inside.stores.at[l], stops, k));
    }
    shown = ARENA_ARRAY(s->arena, level->loads.n + 1, bool);
    for (int k = 0; k < level->loads.n; k++) {
        const struct party *load = &level->loads.at[k];
        shown[k] = is_shown(s, level, shown, k);
        if (shown[k])
            load->loaded->open--;
        else
            VEC_PUSH(s->arena, &open, *load);
    }
    level->loads = open;
}

/* What stores something without running an instance, such as what a sum starts with, is not followed. */
static void look_for_store(const struct node *node, void *user)
{
    struct sourcing *s = user;
    const bool runs = node->statement && node->argument;

    if (node->kind == NODE_ASSIGN && !runs && node->target.array && !lane_totals_of(&s->totals, node))
        sources_lose(s, node->target.array, "what is stored by no instance");
}

/* Are all parts of the sum that are stored anywhere loaded as such? */
static bool are_all_summed(const struct sourcing *s, const struct loaded *loaded)
{
    for (int k = 0; k < s->part_store.n; k++)
        if (strcmp(s->part_store.at[k]->array->name, loaded->array->name) == 0 && !s->part_store.at[k]->summed)
            return false;
    return true;
}

static void sum_up(struct sourcing *s)
{
    for (int k = 0; k < s->loaded.n; k++) {
        const struct loaded *loaded = s->loaded.at[k];
        struct source_result *result = &s->result[loaded->statement->index];
        const char *lost = loaded->array ? *sources_why_lost(s, loaded->array) : NULL;
        const bool shown = loaded->open == 0 && !lost && (!loaded->partial || are_all_summed(s, loaded));
        result->n++;
        result->shown += shown;
        if (!shown && !result->why)
            result->why = lost ? lost : loaded->why;
    }
}

static void find_held(struct sourcing *s, const struct node *finished)
{
    struct lane_held held = {{0}, {0}};

    lane_held_find(s->arena, finished, &s->totals, &held);
    s->held = ARENA_ARRAY(s->arena, s->sets->program->n_array + 1, bool);
    for (int k = 0; k < s->sets->program->n_array; k++)
        s->held[k] = lane_held_has(&held, &s->sets->program->array[k]);
}

const struct source_result *sources(struct same_sets *sets, const struct program *scheduled, int first_id,
                                    const struct node *finished)
{
    struct arena *arena = sets->arena;
    const struct program *program = sets->program;
    struct sourcing s = {.arena = arena,
                         .sets = sets,
                         .scheduled = scheduled,
                         .tree = finished,
                         .ways = {arena, first_id, 1, true, true, NULL},
                         .result = ARENA_ARRAY(arena, program->n_statement + 1, struct source_result),
                         .meaning = ARENA_ARRAY(arena, program->n_statement + 1, const struct meaning *),
                         .is_known = ARENA_ARRAY(arena, program->n_statement + 1, bool),
                         .lost = ARENA_ARRAY(arena, program->n_array + 1, const char *)};
    const struct way *root = way_root(&s.ways);
    struct level level = {.whole = true};
    stop_vec stops = {0};

    sources_find_multiples(&s);
    lane_totals_find(arena, finished, &s.totals);
    find_held(&s, finished);
    node_for_each(finished, look_for_store, &s);
    way_stops(&s.ways, root, finished, &stops);
    walk(&s, root, &stops, &level);
    for (int k = 0; k < level.loads.n; k++)
        if (sources_answered_by_flow(&s, &level, &level.loads.at[k]))
            level.loads.at[k].loaded->open--;
    sum_up(&s);
    if (s.stored)
        isl_set_free(s.stored->set);
    return s.result;
}
