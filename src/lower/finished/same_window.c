/* What a store has at the place of a load is for something else some iterations earlier or later:
 *
 *     load  t[y % 3, x]          for row y
 *     store t[(c + 2) % 3, d]    for row c + 2, in iteration c
 *
 * Subscripts that are the same tell d = x, and that c + 2 - y is a multiple of 3: of what both are for, less what
 * subscripts have less, only multiples of 3 are left,
 *
 *     (c + 2 - y) - ((c + 2) % 3 - y % 3) = 3 * floor((c + 2) / 3) - 3 * floor(y / 3)
 *
 * The row itself is stored where c + 2 = y.
 */
#include "lower/finished/shape_parts.h"
#include "lower/finished/solving.h"

/* What the argument of the store, with the counts that are told, has more than that of the load. */
static const struct affine *more_in(const struct solving *s, int at)
{
    const struct affine *value = solving_told(s, s->store->argument[at]);

    value = value ? affine_sub(s->arena, value, s->load->argument[at]) : NULL;
    return value ? shape_settled(s->load, value) : NULL;
}

/* What divides all that the affine is of. */
static int64_t divisor_of(const struct affine *affine)
{
    return affine ? common_divisor(affine_gcd(affine), affine->constant) : 1;
}

/* What `ahead` is a multiple of where the subscripts are the same. */
static int64_t modulus_of(const struct solving *s, const struct affine *ahead)
{
    const int64_t times = affine_gcd(ahead);
    int64_t most = divisor_of(ahead);

    for (int d = 0; d < s->n_index; d++) {
        const struct affine *more = more_in(s, d);
        for (int sign = -1; more && sign <= 1; sign += 2) {
            const struct affine *rest = affine_combine(s->arena, ahead, 1, more, sign * times);
            const int64_t own = divisor_of(rest);
            if (rest && own == 0)
                return 0;
            most = own > most ? own : most;
        }
    }
    return most;
}

/* Sets what is ahead where the subscripts tell the store's counts. False: it is in several dimensions. */
static bool find_ahead(const struct solving *s, struct window *window)
{
    for (int d = s->n_index; d < s->store->n_argument; d++) {
        const struct affine *more = more_in(s, d);
        int64_t constant, modulus, times;
        if (more && affine_is_constant(more, &constant) && constant == 0)
            continue;
        modulus = more ? modulus_of(s, more) : 0;
        if (!more || (modulus != 0 && window->ahead))
            return false;
        if (modulus == 0)
            continue;
        times = common_divisor(affine_gcd(more), common_divisor(more->constant, modulus));
        window->ahead = affine_floor(s->arena, more, times);
        window->modulus = modulus / times;
        if (!window->ahead)
            return false;
    }
    return true;
}

bool window_asks(const struct window *window, const struct affine *affine)
{
    const struct shape *both = window->both;

    for (int k = 0; k < both->n; k++) {
        const struct var *var = both->count[k].var;
        if (affine_uses(affine, var) && !(window->ahead && affine_uses(window->ahead, var)) &&
            !(window->now && affine_uses(window->now, var)))
            return false;
    }
    return true;
}

/* Adds those of n conditions of the store that matter, or of the negated first one. */
static void add_conditions(const struct solving *s, const struct window *window, const struct condition *condition,
                           int n, bool negated, struct shape *both)
{
    for (int k = 0; k < n; k++) {
        const struct affine *affine = solving_told(s, condition[k].affine);
        affine = affine && negated ? stored_opposite(s->arena, affine) : affine;
        if (affine && window_asks(window, affine))
            shape_add_condition(s->arena, affine, condition[k].equal, &both->condition);
    }
}

/* Sets the load with the counts of the store that are not told, and the conditions of both of which the window asks.
 * False: the counts are too many. */
static bool find_both(const struct solving *s, struct window *window)
{
    const struct shape *store = s->store;
    struct shape *both = ARENA_NEW(s->arena, struct shape);
    int at = 0;

    *both = *s->load;
    both->condition = (condition_vec){0};
    both->choice.n = both->limit.n = 0;
    both->found = ARENA_NEW(s->arena, struct found);
    window->both = both;
    for (int k = 0; k < store->n; k++) {
        if (store->count[k].gone || s->value[k])
            continue;
        if (!shape_add_count(both, store->count[k].var))
            return false;
        both->count[both->n - 1] = store->count[k];
    }
    for (int k = 0; k < s->load->condition.n; k++)
        if (window_asks(window, s->load->condition.at[k].affine))
            VEC_PUSH(s->arena, &both->condition, s->load->condition.at[k]);
    add_conditions(s, window, store->condition.at, store->condition.n, false, both);
    for (int k = 0; k < store->limit.n; k++) {
        const struct choice *choice = &store->choice.at[at];
        const bool none = store->limit.at[k]->none;
        if (store->limit.at[k]->n_alternative == 1 && (!none || (choice->n == 1 && !choice->condition->equal)))
            add_conditions(s, window, choice->condition, choice->n, none, both);
        at += store->limit.at[k]->n_alternative;
    }
    return true;
}

/* Sets the parts of the load that are served: what it is of tells the store's counts, and subscripts that do not begin
 * again. */
static void find_served(struct solving *s, const struct var *iteration, struct window *window)
{
    memset(s->value, 0, sizeof(s->value));
    s->chosen = false;
    solving_solve(s, s->n_index, s->store->n_argument);
    for (int d = 0; d < s->n_index; d++)
        if (!affine_has_floor(s->load->argument[d]))
            solving_solve(s, d, d + 1);
    solving_solve(s, s->n_index, s->store->n_argument);
    solving_solve(s, 0, s->n_index);
    solving_choose(s);
    if (!solving_parts(s, s->store->n_argument, &window->parts))
        window->parts = (stored_part_vec){0};
    window->served = iteration ? solving_told(s, affine_var(s->arena, iteration)) : NULL;
}

bool same_window(struct arena *arena, const struct shape *load, const struct shape *store, int n_index,
                 const struct var *iteration, struct window *window)
{
    struct shape own = shape_copied(store);
    struct solving s = {.arena = arena, .load = load, .store = &own, .n_index = n_index};

    *window = (struct window){.modulus = 0};
    if (!solving_own_counts(&own, load))
        return false;
    solving_solve(&s, 0, n_index);
    window->now = iteration ? solving_told(&s, affine_var(arena, iteration)) : NULL;
    if (!find_ahead(&s, window) || !find_both(&s, window))
        return false;
    find_served(&s, iteration, window);
    return true;
}
