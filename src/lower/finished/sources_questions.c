/* Is a load of what is stored in front of it? By the leaves' shapes (prove/same_stored.h), else by sets. */
#include "lower/facts/over.h"
#include "lower/finished/sources_parts.h"
#include "poly/context.h"

#include <isl/map.h>

/* Questions that sets are asked in all, and leaves that one may be about. */
enum { MOST_QUESTIONS = 6, MOST_PARTIES = 24 };

/* Are the threads of a block all parties to what is stored in the array? */
static bool by_all_threads(const struct array *array)
{
    return array->memory == MEMORY_SHARED;
}

/* Is it a position on an axis along which all are parties to that: blocks, too, where all have the array? */
static bool is_of_parties(const struct array *array, const struct way *way)
{
    if (way->kind != WAY_COUNT || way->axis == AXIS_NONE || array->memory == MEMORY_LOCAL)
        return false;
    return !by_all_threads(array) || axis_is_thread(way->axis);
}

static bool by_several(const struct array *array, const struct way *around)
{
    for (const struct way *way = around; way; way = way->outer)
        if (is_of_parties(array, way))
            return true;
    return false;
}

/* A question about what stands at a level. */
struct question {
    struct sourcing *s;
    const struct way *around, *end; /* the level; limits further in than `end` are asked about */
    bool threads;                   /* those of the block are no parameters, and all limits are asked about */
    var_vec outer, bound;           /* parameters of the question; the threads' counts */
};

static bool is_thread(const struct way *way)
{
    return way->kind == WAY_COUNT && way->axis != AXIS_NONE && axis_is_thread(way->axis);
}

/* Is what the party loads or stores a tile that a warp has together, whichever of its threads is looked at? */
static bool is_of_warp(const struct party *party)
{
    return party->leaf.node->tensor && party->meaning->array->memory == MEMORY_LOCAL;
}

/* Adds what the party uses of counts around to the parameters. False: it uses what is replaced, or only digits tell. */
static bool add_outer(struct question *question, const struct party *party)
{
    struct arena *arena = question->s->arena;
    const struct way *inner = party->leaf.way;
    var_vec used = {0};

    if (way_has_digits(inner, question->end))
        return false;
    for (int k = 0; k < party->n_index + party->n_of; k++)
        way_sets_add_vars(arena, party->index[k], &used);
    way_sets_add_vars_of(arena, inner, question->end, &used);
    for (const struct way *way = question->around; way != question->end; way = way->outer)
        if (way->kind == WAY_COUNT && !way_sets_gone(inner, NULL, way->var))
            way_sets_add_var(arena, way->var, &used);
    for (int k = 0; k < used.n; k++) {
        if (way_sets_gone(inner, NULL, used.at[k]))
            return false;
        if (!way_sets_counts(inner, question->around, used.at[k]))
            way_sets_add_var(arena, used.at[k], &question->outer);
    }
    for (const struct way *way = inner; way != question->around; way = way->outer)
        if (way->kind == WAY_GONE && !question->threads && !is_of_warp(party) &&
            !way_sets_counts(inner, question->around, way->var))
            return false;
    return true;
}

static bool has(const var_vec *vars, const struct var *var)
{
    for (int k = 0; k < vars->n; k++)
        if (vars->at[k] == var)
            return true;
    return false;
}

/* Threads are parameters no more. */
static void bind_threads(struct question *question)
{
    var_vec outer = {0};

    for (const struct way *way = question->around; way && question->threads; way = way->outer)
        if (is_thread(way))
            VEC_PUSH(question->s->arena, &question->bound, way->var);
    for (int k = 0; k < question->outer.n; k++)
        if (!has(&question->bound, question->outer.at[k]))
            VEC_PUSH(question->s->arena, &outer, question->outer.at[k]);
    question->outer = outer;
}

/* [N, .. outer ..] -> { [index, of] : some instance of the party has them } */
static __isl_give isl_set *points(const struct question *question, const struct party *party)
{
    struct arena *arena = question->s->arena;
    const struct way *inner = party->leaf.way;
    var_vec own = way_sets_own(arena, inner, question->around);
    isl_set *set = isl_set_copy(question->s->sets->program->context);

    for (int k = 0; k < question->bound.n; k++)
        if (!way_sets_gone(inner, NULL, question->bound.at[k]))
            VEC_PUSH(arena, &own, question->bound.at[k]);
    set = way_sets_with(set, &question->outer);
    set = way_sets_with(set, &own);
    set = way_sets_where(arena, set, inner, question->end);
    set = over_values(set, party->index, party->n_index + party->n_of);
    return way_sets_without(set, own.n);
}

static __isl_give isl_set *points_of_all(const struct question *question, const party_vec *parties, bool sure)
{
    isl_set *all = NULL;

    for (int k = 0; k < parties->n; k++) {
        isl_set *own = sure && !parties->at[k].sure ? NULL : points(question, &parties->at[k]);
        all = all && own ? isl_set_union(all, own) : own ? own : all;
    }
    return all;
}

/* Is each element one for one thing only? */
static isl_bool is_function(__isl_take isl_set *points, int n_index)
{
    isl_map *map = isl_map_from_range(points);
    isl_bool single;

    map = isl_map_move_dims(map, isl_dim_in, 0, isl_dim_out, 0, (unsigned)n_index);
    single = isl_map_is_single_valued(map);
    isl_map_free(map);
    return single;
}

static bool same_vars(const var_vec *a, const var_vec *b)
{
    return a->n == b->n && (a->n == 0 || memcmp(a->at, b->at, (size_t)a->n * sizeof(*a->at)) == 0);
}

static bool is_of(const struct stored_set *stored, const struct question *question, const party_vec *stores)
{
    bool same = stored && stored->end == question->end && same_vars(&stored->outer, &question->outer) &&
                same_vars(&stored->bound, &question->bound) && stored->of.n == stores->n;

    for (int k = 0; k < stores->n && same; k++)
        same = stored->of.at[k] == stores->at[k].shaped;
    return same;
}

/* The set of all stores, made where it is not the last one that was asked for. */
static struct stored_set *stored_of(const struct question *question, const party_vec *stores)
{
    struct sourcing *s = question->s;

    if (is_of(s->stored, question, stores))
        return s->stored;
    if (s->stored)
        isl_set_free(s->stored->set);
    s->stored = ARENA_NEW(s->arena, struct stored_set);
    *s->stored = (struct stored_set){.outer = question->outer, .bound = question->bound, .end = question->end};
    for (int k = 0; k < stores->n; k++)
        VEC_PUSH(s->arena, &s->stored->of, stores->at[k].shaped);
    s->stored->set = points_of_all(question, stores, false);
    return s->stored;
}

static isl_bool is_single(struct stored_set *stored, int n_index)
{
    if (!stored->asked)
        stored->single = is_function(isl_set_copy(stored->set), n_index);
    stored->asked = true;
    return stored->single;
}

/* Are all of them in front, and sure to happen? */
static bool are_front(const struct choices *choices)
{
    bool front = choices->front.n == choices->all.n;

    for (int k = 0; k < choices->front.n; k++)
        front = front && choices->front.at[k].sure;
    return front;
}

/* Is all that is loaded stored in front, and nothing for two things? */
static bool is_answered(const struct question *question, const struct party *load, const struct choices *choices)
{
    struct stored_set *all;
    isl_set *loaded, *stored;
    isl_bool good;

    poly_begin(question->s->sets->program->ctx);
    all = stored_of(question, &choices->all);
    loaded = points(question, load);
    stored = are_front(choices) ? isl_set_copy(all->set) : points_of_all(question, &choices->front, true);
    good = stored ? isl_set_is_subset(loaded, stored) : isl_bool_false;
    isl_set_free(loaded);
    isl_set_free(stored);
    if (good == isl_bool_true)
        good = is_single(all, load->n_index);
    if (isl_ctx_last_error(question->s->sets->program->ctx) != isl_error_none)
        good = isl_bool_error;
    poly_begin(question->s->sets->program->ctx);
    return good == isl_bool_true;
}

/* Is the load one of what is stored in front of it at this level, in the same iterations of all loops around? context:
 * what is around is to be known. */
static bool is_shown_where(struct sourcing *s, const struct way *around, const struct party *load,
                           const struct choices *choices, bool context)
{
    const bool threads = by_all_threads(load->meaning->array);
    const bool blocks = !threads && by_several(load->meaning->array, around);
    struct question question = {.s = s,
                                .around = around,
                                .end = threads || context ? NULL : around,
                                .threads = threads};

    if (blocks || !add_outer(&question, load) || s->n_asked++ >= MOST_QUESTIONS)
        return false;
    for (int k = 0; k < choices->all.n; k++)
        if (!add_outer(&question, &choices->all.at[k]))
            return false;
    bind_threads(&question);
    return is_answered(&question, load, choices);
}

/* Are all limits around of anything but those who are parties? */
static bool free_of_parties(struct sourcing *s, const struct way *around, const struct array *array)
{
    var_vec used = {0};

    way_sets_add_vars_of(s->arena, around, NULL, &used);
    for (const struct way *way = around; way; way = way->outer)
        for (int k = 0; k < used.n; k++)
            if (is_of_parties(array, way) && used.at[k] == way->var)
                return false;
    return true;
}

/* Is a count that others are in the place of used, or one that the party's threads have for themselves? */
static bool uses_gone(struct sourcing *s, const struct way *around, const struct party *party)
{
    struct question question = {.s = s, .around = around, .end = around, .threads = true};

    if (!by_all_threads(party->meaning->array) && !by_several(party->meaning->array, around))
        question.threads = false;
    return !add_outer(&question, party);
}

/* The side that the party is of. Threads are counts of its leaf where all of them are parties. */
static struct side side_of(struct sourcing *s, const struct way *around, const struct party *party)
{
    const struct way **also = ARENA_ARRAY(s->arena, LAUNCH_AXES + 1, const struct way *);
    struct side side = {.from = around, .also = also};

    for (const struct way *way = around; way; way = way->outer)
        if (is_of_parties(party->meaning->array, way) && side.n_also < LAUNCH_AXES)
            also[side.n_also++] = way;
    return side;
}

bool sources_apart(struct sourcing *s, const struct way *around, const struct array *array)
{
    return by_several(array, around) && !free_of_parties(s, around, array);
}

const struct shape *sources_shape(struct sourcing *s, const struct way *around, const struct party *party, bool load)
{
    const struct side side = side_of(s, around, party);
    struct shape *shape = ARENA_NEW(s->arena, struct shape);
    struct leaf leaf = party->leaf;

    leaf.argument = party->index;
    leaf.n_argument = party->n_index + party->n_of;
    if (sources_apart(s, around, party->meaning->array) || uses_gone(s, around, party) ||
        !shape_of(s->arena, &side, &leaf, INT32_MAX - !load, shape) || !sources_tell_multiples(s, shape) ||
        (load && !sources_find_implied(s, shape)))
        return NULL;
    stored_tell_quotients(shape);
    return shape;
}

const struct shape *sources_shape_in(struct sourcing *s, const struct way *around, const struct party *party, bool load)
{
    if (!party->shaped->asked)
        party->shaped->shape = sources_shape(s, around, party, load);
    party->shaped->asked = true;
    return party->shaped->shape;
}

/* Do store k and those after it in the list come later than all stores before it at the same stop? */
static bool comes_last(const party_vec *stores, int k)
{
    const struct party *store = &stores->at[k];

    return k == 0 || store[-1].stop < store->stop || (store->in_turn && store[-1].inner_stop != store->inner_stop);
}

enum same_answer sources_answered(struct sourcing *s, const struct way *around, const struct party *load,
                                  const struct choices *choices, struct choices *left)
{
    const struct shape *one = sources_shape_in(s, around, load, true);
    stored_part_vec parts = {0};
    bool known = one, all_parts = one;

    *left = (struct choices){{0}, {0}};
    for (int k = choices->all.n - 1; k >= 0; k--) {
        const struct party *store = &choices->all.at[k];
        const bool front = store->front && store->sure, last = comes_last(&choices->all, k);
        const struct shape *own = one ? sources_shape_in(s, around, store, false) : NULL;
        stored_part_vec others = {0};
        const enum stored stored =
            own ? sources_stored(s->arena, load, one, store, own, front ? &parts : &others) : STORED_UNKNOWN;
        known = known && stored != STORED_UNKNOWN;
        all_parts = all_parts && (!front || stored == STORED_PART || stored == STORED_ELSEWHERE);
        if (stored != STORED_ELSEWHERE) {
            VEC_PUSH(s->arena, &left->all, *store);
            if (store->front)
                VEC_PUSH(s->arena, &left->front, *store);
        }
        if (known && last && front && stored_by_parts(s->arena, one, &parts))
            return SAME_YES;
    }
    return all_parts && stored_misses(one, &parts) ? SAME_NO : SAME_UNKNOWN;
}

bool sources_all_same(struct sourcing *s, const struct level *level, const struct party *load)
{
    const struct shape *one = sources_shape_in(s, level->way, load, true);
    bool same = one;

    for (int k = 0; k < level->stores.n && same; k++) {
        const struct party *store = &level->stores.at[k];
        const struct shape *own = NULL;
        stored_part_vec parts = {0};
        if (!sources_same_array(store, load) || store->stop > load->stop)
            continue;
        if (sources_may_serve(store, load))
            own = sources_shape_in(s, level->way, store, false);
        same = own && sources_stored(s->arena, load, one, store, own, &parts) != STORED_UNKNOWN;
    }
    return same;
}

/* Zeros are for no element that sets could tell. */
static bool have_zeros(const party_vec *stores)
{
    for (int k = 0; k < stores->n; k++)
        if (stores->at[k].zero)
            return true;
    return false;
}

bool sources_answered_by_sets(struct sourcing *s, const struct way *around, const struct party *load,
                              const struct choices *left)
{
    return left->front.n > 0 && left->all.n <= MOST_PARTIES && !have_zeros(&left->all) &&
           (is_shown_where(s, around, load, left, false) ||
            (!by_all_threads(load->meaning->array) && is_shown_where(s, around, load, left, true)));
}
