/* Is what a load in a loop is of stored some iterations ago, in a place that had other elements before?
 *
 *     for y: t[(y + 2) % 3] for row y + 2
 *            load t[y % 3] for row y          iteration y - 2 stored it
 *
 * What a store has at the load's place for another row is 3 rows ahead of it, or more, which no iteration so far has
 * stored; or 3 rows behind or more, and then stored earlier than the row itself.
 */
#include "lower/finished/shape_parts.h"
#include "lower/finished/sources_loops.h"

/* Stores that one load is compared with. */
enum { MOST_WINDOWS = 24 };

/* A load, and what all stores so far have at its place. */
struct windowed {
    const struct going_on *going;
    const struct shape *load; /* in any iteration */
    VEC(struct window) window;
    stored_part_vec parts; /* of all of them */
};

/* A store that does not stand in front of the load serves it in later iterations only. */
static void leave_out_current(const struct windowed *windowed, struct window *window)
{
    struct arena *arena = windowed->going->s->arena;
    const struct affine *current = affine_var(arena, windowed->going->count->var);

    for (int k = 0; k < window->parts.n; k++)
        VEC_PUSH(arena, &window->parts.at[k].condition,
                 ((struct condition){going_earlier(windowed->going, window->served, current), false}));
}

/* The condition that a count begins at the less of two numbers, and which of its terms that is; -1: there is none. */
static int find_less(const struct shape *shape, const struct affine_term **less)
{
    for (int c = 0; c < shape->condition.n; c++) {
        const struct affine *affine = shape->condition.at[c].equal ? NULL : shape->condition.at[c].affine;
        for (int k = 0; affine && k < affine->n_term; k++) {
            *less = &affine->term[k];
            if ((*less)->atom->kind == ATOM_MIN && (*less)->atom->n_arg == 2 && (*less)->factor == -1)
                return c;
        }
    }
    return -1;
}

/* Puts the value in the place of the count, whose range becomes conditions. False: numbers are too large. */
static bool put_in_place(struct shape *shape, struct count *count, const struct affine *by)
{
    const struct affine *left = count->last == INT64_MAX ? NULL : affine_constant(shape->arena, count->last);

    if (count->from_0 || left)
        VEC_PUSH(shape->arena, &shape->condition, ((struct condition){by, false}));
    if (left)
        VEC_PUSH(shape->arena, &shape->condition, ((struct condition){affine_sub(shape->arena, left, by), false}));
    count->gone = true;
    return shape_change(shape, &(struct replacing){.var = count->var, .by = by});
}

/* Adds least >= 0. Where another condition says <= 0, that tells a count, but not the iteration, whose value is put in
 * its place. False: numbers are too large. */
static bool add_least(struct shape *shape, const struct affine *least, const struct var *iteration)
{
    for (int c = 0; c < shape->condition.n; c++) {
        const struct affine *sum = affine_add(shape->arena, least, shape->condition.at[c].affine);
        int64_t constant;
        if (!sum || !affine_is_constant(sum, &constant) || constant != 0)
            continue;
        for (int k = 0; k < shape->n; k++) {
            const struct var *var = shape->count[k].var;
            const struct affine *by = affine_sub(shape->arena, affine_var(shape->arena, var), least);
            if (!by || shape->count[k].gone || var == iteration || affine_factor(least, var) != 1 ||
                affine_uses(by, var))
                continue;
            return put_in_place(shape, &shape->count[k], by);
        }
    }
    VEC_PUSH(shape->arena, &shape->condition, ((struct condition){least, false}));
    return true;
}

/* The shape where the k-th of the two is the less one; NULL: numbers are too large. */
static const struct shape *where_less(const struct shape *shape, int at, const struct affine_term *less, int k,
                                      const struct var *iteration)
{
    struct arena *arena = shape->arena;
    struct shape *own = ARENA_NEW(arena, struct shape);
    const struct affine *const *arg = less->atom->arg;
    const struct affine *least =
        affine_combine(arena, shape->condition.at[at].affine, 1, affine_atom(arena, less->atom), 1);
    const struct affine *more = affine_add_constant(arena, affine_sub(arena, arg[1 - k], arg[k]), -k);

    least = affine_sub(arena, least, arg[k]);
    if (!least || !more)
        return NULL;
    *own = shape_copied(shape);
    own->condition.at[at].affine = more;
    if (!add_least(own, least, iteration))
        return NULL;
    shape_find_ranges(own);
    return own;
}

static bool add_shape(struct windowed *windowed, const struct party *store, const struct shape *shape,
                      const struct var *iteration);

/* Adds what the store does. False: that is not seen. */
static bool add_window(struct windowed *windowed, const struct party *store)
{
    const struct going_on *going = windowed->going;
    const struct var *iteration = NULL;
    const struct shape *shape = store->stop == going->load->stop
                                    ? going_so_far(going, store, &iteration)
                                    : sources_shape_in(going->s, going->level->way, store, false);
    const struct affine_term *less;
    const int at = shape ? find_less(shape, &less) : -1;

    return at < 0 ? add_shape(windowed, store, shape, iteration)
                  : add_shape(windowed, store, where_less(shape, at, less, 0, iteration), iteration) &&
                        add_shape(windowed, store, where_less(shape, at, less, 1, iteration), iteration);
}

/* The same of some of its instances, which have this shape. */
static bool add_shape(struct windowed *windowed, const struct party *store, const struct shape *shape,
                      const struct var *iteration)
{
    const struct going_on *going = windowed->going;
    struct arena *arena = going->s->arena;
    const bool inside = store->stop == going->load->stop;
    stored_part_vec parts = {0};
    struct window window;

    if (shape && sources_stored(arena, going->load, windowed->load, store, shape, &parts) == STORED_ELSEWHERE)
        return true;
    if (!shape || (store->zero && !going->load->zeros_serve) || windowed->window.n == MOST_WINDOWS ||
        !same_window(arena, windowed->load, shape, going->load->n_index, iteration, &window))
        return false;
    if (!store->sure || (inside && !window.served))
        window.parts = (stored_part_vec){0};
    if (inside && store->inner_stop <= going->load->inner_stop && !going_is_earlier(going, store))
        leave_out_current(windowed, &window);
    VEC_PUSH(arena, &windowed->window, window);
    for (int k = 0; k < window.parts.n; k++)
        VEC_PUSH(arena, &windowed->parts, window.parts.at[k]);
    return true;
}

/* by * (what the store is ahead) >= modulus */
static const struct affine *far_ahead(struct arena *arena, const struct window *window, int by)
{
    const struct affine *ahead = affine_scale(arena, window->ahead, by);

    return ahead ? affine_add_constant(arena, ahead, -window->modulus) : NULL;
}

/* When some of what is loaded was stored. */
struct served {
    const struct affine *at; /* in this iteration; NULL: in front of the loop */
    condition_vec where;     /* of the load, as far as the window asks */
};

typedef VEC(struct served) served_vec;

static bool same_served(const struct served *a, const struct served *b)
{
    bool same = a->where.n == b->where.n && !a->at == !b->at && (!a->at || affine_equal(a->at, b->at));

    for (int k = 0; k < a->where.n && same; k++)
        same = affine_equal(a->where.at[k].affine, b->where.at[k].affine);
    return same;
}

/* All of these that are different for the window. */
static served_vec all_served(const struct windowed *windowed, const struct window *window)
{
    struct arena *arena = windowed->going->s->arena;
    served_vec all = {0};

    for (int k = 0; k < windowed->window.n; k++) {
        const struct window *right = &windowed->window.at[k];
        for (int p = 0; p < right->parts.n; p++) {
            const condition_vec *condition = &right->parts.at[p].condition;
            struct served served = {right->served, {0}};
            bool is_new = true;
            for (int c = 0; c < condition->n; c++)
                if (condition->at[c].affine && window_asks(window, condition->at[c].affine))
                    VEC_PUSH(arena, &served.where, condition->at[c]);
            for (int s = 0; s < all.n && is_new; s++)
                is_new = !same_served(&all.at[s], &served);
            if (is_new)
                VEC_PUSH(arena, &all, served);
        }
    }
    return all;
}

/* Where that is served, does the store never have the load's place for something in this direction, or only before? */
static bool is_earlier_or_never(const struct windowed *windowed, const struct window *window, int by,
                                struct served *served)
{
    struct arena *arena = windowed->going->s->arena;
    const struct affine *far = far_ahead(arena, window, by), *none = far ? stored_opposite(arena, far) : NULL;

    if (!none || stored_known(arena, window->both, &served->where, none, false))
        return none;
    if (!served->at || !window->now)
        return served->at;
    VEC_PUSH(arena, &served->where, ((struct condition){far, false}));
    shape_tell_dividends(arena, &(struct condition){far, false}, &served->where);
    return stored_known(arena, window->both, &served->where, going_earlier(windowed->going, window->now, served->at),
                        false);
}

/* Is what the store has at the load's place for something in this direction stored before what is loaded? */
static bool is_stored_before(const struct windowed *windowed, const struct window *window, int by)
{
    struct arena *arena = windowed->going->s->arena;
    const struct affine *far = far_ahead(arena, window, by);
    served_vec served = {0};

    if (far && stored_known(arena, window->both, &(condition_vec){0}, stored_opposite(arena, far), false))
        return true;
    served = all_served(windowed, window);
    for (int k = 0; k < served.n; k++)
        if (!is_earlier_or_never(windowed, window, by, &served.at[k]))
            return false;
    return true;
}

bool sources_answered_by_window(const struct going_on *going)
{
    struct arena *arena = going->s->arena;
    struct windowed windowed = {.going = going, .load = going_load(going, affine_var(arena, going->count->var))};

    for (int k = 0; windowed.load && k < going->level->stores.n; k++) {
        const struct party *store = &going->level->stores.at[k];
        if (sources_same_array(store, going->load) && store->stop <= going->load->stop && !add_window(&windowed, store))
            return false;
    }
    if (!windowed.load || !stored_by_parts(arena, windowed.load, &windowed.parts))
        return false;
    for (int k = 0; k < windowed.window.n; k++) {
        const struct window *window = &windowed.window.at[k];
        if (window->modulus != 0 &&
            (!is_stored_before(&windowed, window, 1) || !is_stored_before(&windowed, window, -1)))
            return false;
    }
    return true;
}
