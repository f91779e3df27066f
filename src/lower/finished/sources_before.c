/* Is what a load in a loop is of stored by the iteration before, and in front of the loop for the first one?
 *
 *     Bp[0] for tile 0                         in front
 *     for k: Bp[(k + 1) % 2] for tile k + 1    this iteration: of other elements
 *            load Bp[k % 2] for tile k         iteration k - 1 stored it, for k = 0 what is in front
 *
 * Between the two stand the rest of the iteration before and the begin of this one: what these store is of other
 * elements, or for the same. */
#include "lower/finished/shape_parts.h"
#include "lower/finished/sources_loops.h"
#include "tree/visit.h"

struct declaring {
    const struct array *array;
    bool declares;
};

static bool is_named(const struct array *const *list, int n, const struct array *array)
{
    for (int k = 0; k < n; k++)
        if (strcmp(list[k]->name, array->name) == 0)
            return true;
    return false;
}

static void look_for_declaration(const struct node *node, void *user)
{
    struct declaring *declaring = user;
    const bool assigns = node->kind == NODE_ASSIGN && node->declares != DECLARE_NOTHING && node->target.array;

    const bool names = node->kind == NODE_LET && node->argument && node->statement->target;

    declaring->declares = declaring->declares || is_named(node->local, node->n_local, declaring->array) ||
                          is_named(node->own, node->n_own, declaring->array) ||
                          (assigns && strcmp(node->target.array->name, declaring->array->name) == 0) ||
                          (names && strcmp(node->statement->target->array->name, declaring->array->name) == 0);
}

bool sources_declares(const struct node *node, const struct array *array)
{
    struct declaring declaring = {array, false};

    node_for_each(node, look_for_declaration, &declaring);
    return declaring.declares;
}

/* Do iterations of the loop follow each other, and does the array outlive them? */
static bool goes_on(const struct node *loop, const struct array *array)
{
    if (loop->kind != NODE_LOOP || loop->threads || loop->joined || loop->axis != AXIS_NONE || loop->continues ||
        loop->once || loop->simd)
        return false;
    return !sources_declares(loop, array);
}

/* The count of the loop on the way of a leaf in it; inside: where its body begins. */
static const struct way *count_of(const struct way *way, const struct way *stop, const struct way **inside)
{
    for (*inside = way; way && way->outer != stop; way = way->outer)
        if (way->kind == WAY_NAME)
            *inside = way;
    return way && way->kind == WAY_COUNT && way->axis == AXIS_NONE ? way : NULL;
}

/* Sets what is known of the loop and the load. */
static bool enter_loop(struct going_on *going, const struct stop *stop)
{
    struct arena *arena = going->s->arena;
    const struct way *inside;
    const struct affine *count;
    struct way_loop loop;

    going->count = count_of(going->load->leaf.way, stop->way, &inside);
    if (!going->count || !sources_is_around(going->load->from, going->count) ||
        !stop_loop(&going->s->ways, stop, &loop) || sources_apart(going->s, inside, going->load->meaning->array))
        return false;
    count = affine_var(arena, going->count->var);
    going->down = loop.step == -1;
    going->first = loop.step == 1 || loop.step == -1 ? loop.lower : affine_constant(arena, 0);
    going->before = affine_add_constant(arena, count, loop.step == -1 ? 1 : -1);
    going->others = loop.step == -1 ? affine_sub(arena, going->first, going->before)
                                    : affine_sub(arena, going->before, going->first);
    going->shape = sources_shape(going->s, going->count, going->load, true);
    return going->before && going->others && going->shape;
}

/* The shape in the iteration with that count; NULL: numbers are too large, or shape is NULL. */
static struct shape *at_iteration(const struct going_on *going, const struct shape *shape, const struct affine *count)
{
    struct shape *own = ARENA_NEW(going->s->arena, struct shape);
    const struct replacing replacing = {.var = going->count->var, .by = count};

    if (!shape)
        return NULL;
    *own = shape_copied(shape);
    return shape_change(own, &replacing) ? own : NULL;
}

/* The shape of a store in the loop. */
static const struct shape *inside_of(const struct going_on *going, const struct party *store)
{
    if (!store->shaped->asked_inside)
        store->shaped->inside = sources_shape(going->s, going->count, store, false);
    store->shaped->asked_inside = true;
    return store->shaped->inside;
}

/* Is it seen what the store does? Adds its parts, where it is in front. */
static bool look_at(const struct going_on *going, const struct shape *load, const struct party *store,
                    const struct shape *shape, bool front, stored_part_vec *parts)
{
    stored_part_vec others = {0};

    return shape &&
           sources_stored(going->s->arena, going->load, load, store, shape, front ? parts : &others) != STORED_UNKNOWN;
}

bool going_is_earlier(const struct going_on *going, const struct party *store)
{
    return store->inner_stop < going->load->inner_stop &&
           (!going->load->named || !sources_is_around(store->leaf.way, going->load->from));
}

/* The same of a store in the loop: in the iteration with that count, and in the one before, unless it is the first. */
static bool look_inside(const struct going_on *going, const struct shape *load, const struct party *store, bool first,
                        stored_part_vec *parts)
{
    const struct shape *inside = inside_of(going, store);

    if (!first && !look_at(going, load, store, at_iteration(going, inside, going->before), store->sure, parts))
        return false;
    return store->inner_stop > going->load->inner_stop ||
           look_at(going, load, store, first ? at_iteration(going, inside, going->first) : inside,
                   store->sure && going_is_earlier(going, store), parts);
}

struct shape *going_load(const struct going_on *going, const struct affine *iteration)
{
    struct shape *load = at_iteration(going, going->shape, iteration);

    return load && sources_find_implied(going->s, load) ? load : NULL;
}

/* Is what the load is of stored in the loop's first iteration, or in front of the loop? */
static bool is_stored_first(const struct going_on *going)
{
    struct shape *load = going_load(going, going->first);
    stored_part_vec parts = {0};

    if (!load)
        return false;
    for (int k = going->level->stores.n - 1; k >= 0; k--) {
        const struct party *store = &going->level->stores.at[k];
        const bool outside = store->stop < going->load->stop;
        if (!sources_same_array(store, going->load) || store->stop > going->load->stop)
            continue;
        if (!(outside ? look_at(going, load, store, sources_shape_in(going->s, going->level->way, store, false),
                                store->sure, &parts)
                      : look_inside(going, load, store, true, &parts)))
            return false;
        if (outside && (k == 0 || store[-1].stop < store->stop) && stored_by_parts(going->s->arena, load, &parts))
            return true;
    }
    return stored_by_parts(going->s->arena, load, &parts);
}

/* The same in the others, in that iteration or the one before. */
static bool is_stored_later(const struct going_on *going)
{
    struct arena *arena = going->s->arena;
    struct shape *load = at_iteration(going, going->shape, affine_var(arena, going->count->var));
    stored_part_vec parts = {0};

    if (!load)
        return false;
    VEC_PUSH(arena, &load->condition, ((struct condition){going->others, false}));
    if (!sources_find_implied(going->s, load))
        return false;
    for (int k = 0; k < going->level->stores.n; k++) {
        const struct party *store = &going->level->stores.at[k];
        if (sources_same_array(store, going->load) && store->stop == going->load->stop &&
            !look_inside(going, load, store, false, &parts))
            return false;
    }
    return stored_by_parts(arena, load, &parts);
}

const struct affine *going_earlier(const struct going_on *going, const struct affine *a, const struct affine *b)
{
    const struct affine *more = going->down ? affine_sub(going->s->arena, a, b) : affine_sub(going->s->arena, b, a);

    return more ? affine_add_constant(going->s->arena, more, -1) : NULL;
}

/* Has two conditions in the place of an equation of nothing but the count: these make its range. */
static void divide_equations(struct shape *shape, const struct affine *count)
{
    for (int k = shape->condition.n - 1; k >= 0; k--) {
        struct condition *own = &shape->condition.at[k];
        if (!own->equal || !own->affine || own->affine->n_term != 1 ||
            !affine_uses(own->affine, count->term->atom->var))
            continue;
        own->equal = false;
        VEC_PUSH(shape->arena, &shape->condition,
                 ((struct condition){affine_scale(shape->arena, own->affine, -1), false}));
    }
}

const struct shape *going_so_far(const struct going_on *going, const struct party *store, const struct var **iteration)
{
    struct arena *arena = going->s->arena;
    const struct affine *last = affine_var(arena, going->count->var), *own, *left;
    const struct var *var = ways_count(&going->s->ways);
    struct shape *shape;

    *iteration = var;
    own = affine_var(arena, var);
    shape = at_iteration(going, inside_of(going, store), own);
    if (!shape || !shape_add_count(shape, var))
        return NULL;
    left = going_earlier(going, own, last);
    left = affine_add_constant(arena, left, store->inner_stop <= going->load->inner_stop);
    own = going->down ? affine_sub(arena, going->first, own) : affine_sub(arena, own, going->first);
    VEC_PUSH(arena, &shape->condition, ((struct condition){left, false}));
    VEC_PUSH(arena, &shape->condition, ((struct condition){own, false}));
    if (!left || !own)
        return NULL;
    divide_equations(shape, affine_var(arena, var));
    shape_find_ranges(shape);
    return shape;
}

/* Are there stores in the loop, and are all of what the load is of? */
static bool have_stores(const struct level *level, const struct party *load)
{
    bool inside = false;

    for (int k = 0; k < level->stores.n; k++) {
        const struct party *store = &level->stores.at[k];
        if (!sources_same_array(store, load) || store->stop > load->stop)
            continue;
        if (!sources_may_serve(store, load))
            return false;
        inside = inside || (store->stop == load->stop && store->sure);
    }
    return inside;
}

bool sources_answered_before(struct sourcing *s, const struct level *level, const struct party *load)
{
    const struct stop *stop = &level->stops->at[load->stop];
    struct going_on going = {.s = s, .level = level, .load = load};

    return goes_on(stop->node, load->meaning->array) && have_stores(level, load) && enter_loop(&going, stop) &&
           ((is_stored_later(&going) && is_stored_first(&going)) || sources_answered_by_window(&going));
}
