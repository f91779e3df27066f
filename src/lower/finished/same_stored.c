#include "lower/finished/same_stored.h"

#include "lower/finished/shape_parts.h"

/* A store, whose counts become values of the load's. */
struct solving {
    struct arena *arena;
    const struct shape *load, *store;
    int n_index;
    const struct affine *value[MOST_COUNTS]; /* of the store's counts; NULL: not told */
};

/* How many terms are of counts that are not told, those in quotients and minima twice. Sets *last to one of them. */
static int untold(const struct solving *s, const struct affine *affine, const struct affine_term **last)
{
    int n = 0;

    for (int k = 0; k < affine->n_term; k++) {
        const struct atom *atom = affine->term[k].atom;
        const struct count *count = atom->kind == ATOM_VAR ? shape_count(s->store, atom->var) : NULL;
        bool open = count && !s->value[count - s->store->count];
        n += open;
        for (int a = 0; a < atom->n_arg; a++)
            if (untold(s, atom->arg[a], NULL) > 0) {
                open = true;
                n += 2;
            }
        if (open && last)
            *last = &affine->term[k];
    }
    return n;
}

/* The store's expression with the values of its counts that are told. */
static const struct affine *told(const struct solving *s, const struct affine *affine)
{
    for (int k = 0; k < s->store->n && affine; k++)
        if (s->value[k] && affine_uses(affine, s->store->count[k].var))
            affine = affine_substitute(s->arena, affine, s->store->count[k].var, s->value[k]);
    return affine;
}

/* Sets the count of the only term of the subscript that is not told. */
static bool solve(struct solving *s, int dim)
{
    const struct affine_term *term = NULL;
    const struct affine *affine = s->store->argument[dim], *rest;

    if (untold(s, affine, &term) != 1 || (term->factor != 1 && term->factor != -1))
        return false;
    rest = affine_sub(s->arena, affine, &(struct affine){0, 1, term});
    rest = affine_sub(s->arena, s->load->argument[dim], told(s, rest));
    s->value[shape_count(s->store, term->atom->var) - s->store->count] = affine_scale(s->arena, rest, term->factor);
    return rest;
}

static void solve_all(struct solving *s)
{
    bool more = true;

    while (more) {
        more = false;
        for (int d = 0; d < s->n_index; d++)
            more = solve(s, d) || more;
    }
}

/* The range of a term's count, from 0 on; INT64_MAX: it has none. */
static int64_t last_of(const struct solving *s, const struct atom *atom)
{
    const struct count *count = atom->kind == ATOM_VAR ? shape_count(s->store, atom->var) : NULL;

    if (!count && atom->kind == ATOM_VAR)
        count = shape_count(s->load, atom->var);
    return count ? count->last : INT64_MAX;
}

/* Is it never 0, of counts with ranges? */
static bool is_never_0(const struct solving *s, const struct affine *affine)
{
    int64_t low = affine->constant, high = affine->constant, move;

    for (int k = 0; k < affine->n_term; k++) {
        const int64_t last = last_of(s, affine->term[k].atom), factor = affine->term[k].factor;
        if (last == INT64_MAX || __builtin_mul_overflow(factor, last, &move) ||
            __builtin_add_overflow(factor < 0 ? low : high, move, factor < 0 ? &low : &high))
            return false;
    }
    return low > 0 || high < 0;
}

/* Are the subscripts of both never the same? */
static bool is_elsewhere(const struct solving *s)
{
    for (int d = 0; d < s->n_index; d++) {
        const struct affine *more = affine_sub(s->arena, s->load->argument[d], s->store->argument[d]);
        if (more && is_never_0(s, more))
            return true;
    }
    return false;
}

static bool same_from(const struct solving *s, int begin, int end)
{
    for (int d = begin; d < end; d++) {
        const struct affine *value = told(s, s->store->argument[d]);
        if (untold(s, s->store->argument[d], NULL) > 0 || !value || !affine_equal(value, s->load->argument[d]))
            return false;
    }
    return true;
}

/* Does affine >= 0, or for `equal` = 0, hold where the load is? */
static bool is_known(const struct solving *s, const struct affine *affine, bool equal)
{
    const struct shape *load = s->load;
    int64_t low, move;

    if (!affine)
        return false;
    low = affine->constant;
    for (int k = 0; k < load->condition.n; k++) {
        const struct affine *more = affine_sub(s->arena, affine, load->condition.at[k].affine);
        int64_t constant;
        if (more && load->condition.at[k].equal == equal && affine_is_constant(more, &constant) &&
            (equal ? constant == 0 : constant >= 0))
            return true;
    }
    for (int k = 0; k < affine->n_term; k++) {
        const struct atom *atom = affine->term[k].atom;
        const struct count *count = atom->kind == ATOM_VAR ? shape_count(load, atom->var) : NULL;
        if (!count || (count->last == INT64_MAX && affine->term[k].factor < 0))
            return false;
        if (affine->term[k].factor > 0 && (count->from_0 || count->last != INT64_MAX))
            continue;
        if (affine->term[k].factor > 0 || __builtin_mul_overflow(affine->term[k].factor, count->last, &move) ||
            __builtin_add_overflow(low, move, &low))
            return false;
    }
    return equal ? affine->n_term == 0 && low == 0 : low >= 0;
}

/* Is all that is loaded stored? */
static bool stores_all(const struct solving *s)
{
    const struct shape *store = s->store;

    if (store->limit.n > 0 || !same_from(s, 0, store->n_argument))
        return false;
    for (int k = 0; k < store->n; k++) {
        const struct count *count = &store->count[k];
        if (count->gone || count->last == 0)
            continue;
        if (!s->value[k] || ((count->from_0 || count->last != INT64_MAX) && !is_known(s, s->value[k], false)))
            return false;
        if (count->last != INT64_MAX &&
            !is_known(s, affine_sub(s->arena, affine_constant(s->arena, count->last), s->value[k]), false))
            return false;
    }
    for (int k = 0; k < store->condition.n; k++) {
        const struct condition *condition = &store->condition.at[k];
        if (untold(s, condition->affine, NULL) > 0 || !is_known(s, told(s, condition->affine), condition->equal))
            return false;
    }
    return true;
}

/* New counts for those that the other shape has, too: what a loop around both counts is another number for each. */
static bool with_own_counts(struct shape *shape, const struct shape *other)
{
    const int n = shape->n;

    for (int k = 0; k < n; k++) {
        struct var *var = ARENA_NEW(shape->arena, struct var);
        struct replacing replacing = {.var = shape->count[k].var};
        if (shape->count[k].gone || !shape_count(other, shape->count[k].var))
            continue;
        *var = (struct var){.kind = VAR_VALUE, .id = shape->next_id, .name = "e"};
        shape->next_id -= 2;
        if (!shape_add_count(shape, var))
            return false;
        shape->count[shape->n - 1] = shape->count[k];
        shape->count[shape->n - 1].var = var;
        shape->count[k].gone = true;
        replacing.by = affine_var(shape->arena, var);
        if (!shape_change(shape, &replacing))
            return false;
    }
    return true;
}

bool same_stored(struct arena *arena, const struct side *load, const struct side *stores, int n_front, int n_index)
{
    struct shape one, own;
    bool found = false;

    if (!shape_of(arena, load, &load->leaves.at[0], INT32_MAX, &one))
        return false;
    for (int k = 0; k < stores->leaves.n; k++) {
        struct solving s = {.arena = arena, .load = &one, .store = &own, .n_index = n_index};
        if (!shape_of(arena, stores, &stores->leaves.at[k], INT32_MAX - 1, &own) || !with_own_counts(&own, &one))
            return false;
        if (is_elsewhere(&s))
            continue;
        solve_all(&s);
        if (!same_from(&s, n_index, own.n_argument))
            return false;
        found = found || (k < n_front && stores_all(&s));
    }
    return found;
}
