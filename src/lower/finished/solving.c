/* The counts of a store that follow from what it has in common with a load. */
#include "lower/finished/solving.h"

#include "lower/finished/shape_parts.h"

/* Parts of one store. */
enum { MOST_PARTS = 16 };

int solving_untold(const struct solving *s, const struct affine *affine, const struct affine_term **last)
{
    int n = 0;

    for (int k = 0; k < affine->n_term; k++) {
        const struct atom *atom = affine->term[k].atom;
        const struct count *count = atom->kind == ATOM_VAR ? shape_count(s->store, atom->var) : NULL;
        bool open = count && !s->value[count - s->store->count];
        n += open;
        for (int a = 0; a < atom->n_arg; a++)
            if (solving_untold(s, atom->arg[a], NULL) > 0) {
                open = true;
                n += 2;
            }
        if (open && last)
            *last = &affine->term[k];
    }
    return n;
}

const struct affine *solving_told(const struct solving *s, const struct affine *affine)
{
    for (int k = 0; k < s->store->n && affine; k++)
        if (s->value[k] && affine_uses(affine, s->store->count[k].var))
            affine = affine_substitute(s->arena, affine, s->store->count[k].var, s->value[k]);
    return affine ? shape_settled(s->load, affine) : NULL;
}

/* Sets the count of the term to affine / factor. */
static bool set_value(struct solving *s, const struct affine_term *term, const struct affine *affine)
{
    const struct affine **value = &s->value[shape_count(s->store, term->atom->var) - s->store->count];

    if (affine && term->factor > 1)
        affine = affine_floor(s->arena, affine, term->factor);
    else if (affine)
        affine = affine_scale(s->arena, affine, term->factor);
    *value = affine ? shape_settled(s->load, affine) : NULL;
    return *value;
}

/* The term with the largest factor of those that are not told, if all of them are digits of one number; else NULL. */
static const struct affine_term *first_digit(const struct solving *s, const struct affine *affine)
{
    const struct affine_term *first = NULL;
    int64_t rest = 0, move;

    for (int k = 0; k < affine->n_term; k++) {
        const struct affine_term *term = &affine->term[k];
        const struct affine one = {0, 1, term};
        const int n = solving_untold(s, &one, NULL);
        if (n > 1 || (n == 1 && term->factor < 1))
            return NULL;
        first = n == 1 && (!first || term->factor > first->factor) ? term : first;
    }
    for (int k = 0; first && k < affine->n_term; k++) {
        const struct affine_term *term = &affine->term[k];
        const struct affine one = {0, 1, term};
        if (term == first || solving_untold(s, &one, NULL) == 0)
            continue;
        if (__builtin_mul_overflow(shape_count(s->store, term->atom->var)->last, term->factor, &move) ||
            __builtin_add_overflow(rest, move, &rest))
            return NULL;
    }
    return first && rest < first->factor ? first : NULL;
}

/* The affine without its terms that are not told. */
static const struct affine *told_part(const struct solving *s, const struct affine *affine)
{
    const struct affine *sum = affine_constant(s->arena, affine->constant);

    for (int k = 0; k < affine->n_term && sum; k++) {
        const struct affine one = {0, 1, &affine->term[k]};
        if (solving_untold(s, &one, NULL) == 0)
            sum = affine_add(s->arena, sum, &one);
    }
    return sum ? solving_told(s, sum) : NULL;
}

/* The count whose quotient by its factor the rest of what is not told leaves, as the store's conditions say: that of
 * 64 * c + d where 0 <= d < 64, whatever d is of; else NULL. */
static const struct affine_term *first_of_all(const struct solving *s, const struct affine *affine)
{
    const struct affine_term *first = NULL;
    const struct affine *rest = affine_constant(s->arena, 0);

    for (int k = 0; k < affine->n_term; k++) {
        const struct affine_term *term = &affine->term[k];
        const struct affine one = {0, 1, term};
        if (term->atom->kind == ATOM_VAR && solving_untold(s, &one, NULL) == 1 &&
            (!first || term->factor > first->factor))
            first = term;
    }
    for (int k = 0; first && k < affine->n_term; k++) {
        const struct affine one = {0, 1, &affine->term[k]};
        if (&affine->term[k] != first && solving_untold(s, &one, NULL) > 0)
            rest = affine_add(s->arena, rest, &one);
    }
    return first && first->factor > 1 && stored_known(s->arena, s->store, &(condition_vec){0}, rest, false) &&
                   stored_known(s->arena, s->store, &(condition_vec){0},
                                affine_sub(s->arena, affine_constant(s->arena, first->factor - 1), rest), false)
               ? first
               : NULL;
}

/* Sets the count of the only term of the subscript that is not told, or of the first of several that are digits. */
static bool solve(struct solving *s, int dim)
{
    const struct affine_term *term = NULL;
    const struct affine *affine = s->store->argument[dim], *rest;

    if (solving_untold(s, affine, &term) != 1 || term->factor != -1)
        term = first_digit(s, affine);
    if (!term)
        term = first_of_all(s, affine);
    if (!term)
        return false;
    rest = told_part(s, affine);
    return rest && set_value(s, term, affine_sub(s->arena, s->load->argument[dim], rest));
}

void solving_solve(struct solving *s, int first, int n)
{
    bool more = true;

    while (more) {
        more = false;
        for (int d = first; d < n; d++)
            more = solve(s, d) || more;
    }
}

const struct affine *solving_difference(const struct solving *s, int at)
{
    const struct affine *value;

    if (solving_untold(s, s->store->argument[at], NULL) > 0)
        return NULL;
    value = solving_told(s, s->store->argument[at]);
    value = value ? affine_sub(s->arena, value, s->load->argument[at]) : NULL;
    return value ? shape_settled(s->load, value) : NULL;
}

void solving_choose(struct solving *s)
{
    for (int k = 0; k < s->store->n; k++) {
        const struct count *count = &s->store->count[k];
        if (s->value[k] || count->gone || count->last < 0 || (!count->from_0 && count->last == INT64_MAX))
            continue;
        s->value[k] = affine_constant(s->arena, 0);
        s->chosen = s->chosen || count->last != 0;
    }
}

bool solving_own_counts(struct shape *shape, const struct shape *other)
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

/* Adds the condition to the part's, unless that is known to hold. */
static void add_missing(const struct solving *s, struct stored_part *part, const struct affine *affine, bool equal)
{
    if (!stored_known(s->arena, s->load, &(condition_vec){0}, affine, equal))
        VEC_PUSH(s->arena, &part->condition, ((struct condition){affine, equal}));
}

/* The same of a difference that is 0, which may be known where the part's other conditions hold. */
static void add_missing_0(const struct solving *s, struct stored_part *part, const struct affine *affine)
{
    for (int side = 0; side < 2; side++) {
        const struct affine *own = side ? affine_scale(s->arena, affine, -1) : affine;
        if (!stored_known(s->arena, s->load, &part->condition, own, false))
            VEC_PUSH(s->arena, &part->condition, ((struct condition){own, false}));
    }
}

/* The conditions under which what is loaded is stored, but for the store's limits. False: they are not told. */
static bool find_missing(const struct solving *s, int n_equal, struct stored_part *part)
{
    const struct shape *store = s->store;

    for (int k = 0; k < store->n; k++) {
        const struct count *count = &store->count[k];
        if (count->gone || (count->last == 0 && !s->value[k]))
            continue;
        if (!s->value[k])
            return false;
        if (count->from_0 || count->last != INT64_MAX)
            add_missing(s, part, s->value[k], false);
        if (count->last != INT64_MAX)
            add_missing(s, part, affine_sub(s->arena, affine_constant(s->arena, count->last), s->value[k]), false);
    }
    for (int k = 0; k < store->condition.n; k++) {
        const struct condition *condition = &store->condition.at[k];
        if (solving_untold(s, condition->affine, NULL) > 0)
            return false;
        add_missing(s, part, solving_told(s, condition->affine), condition->equal);
    }
    for (int d = 0; d < n_equal; d++) {
        const struct affine *more = solving_difference(s, d);
        if (!more)
            return false;
        add_missing_0(s, part, more);
    }
    return true;
}

static void add_part(const struct solving *s, const struct stored_part *part, const struct condition *condition, int n,
                     bool none, stored_part_vec *parts)
{
    struct stored_part own = {{0}, part->some};

    for (int k = 0; k < part->condition.n; k++)
        VEC_PUSH(s->arena, &own.condition, part->condition.at[k]);
    for (int k = 0; k < n; k++) {
        const struct affine *value = solving_told(s, condition[k].affine);
        add_missing(s, &own, none ? stored_opposite(s->arena, value) : value, condition[k].equal);
    }
    VEC_PUSH(s->arena, parts, own);
}

/* The parts with one of the alternatives of a limit, or, where none of them holds, without one condition of its only
 * one. False: it is no such limit. */
static bool add_choices(const struct solving *s, const struct way *limit, const struct choice *choice,
                        stored_part_vec *parts)
{
    stored_part_vec with = {0};

    for (int a = 0; a < limit->n_alternative; a++)
        for (int k = 0; k < choice[a].n; k++)
            if (solving_untold(s, choice[a].condition[k].affine, NULL) > 0 ||
                (limit->none && (limit->n_alternative > 1 || choice[a].condition[k].equal)))
                return false;
    for (int p = 0; p < parts->n; p++)
        for (int a = 0; a < limit->n_alternative; a++)
            for (int k = 0; k < (limit->none ? choice[a].n : 1); k++)
                add_part(s, &parts->at[p], &choice[a].condition[k], limit->none ? 1 : choice[a].n, limit->none, &with);
    *parts = with;
    return with.n <= MOST_PARTS;
}

bool solving_parts(const struct solving *s, int n_equal, stored_part_vec *parts)
{
    struct stored_part part = {{0}, s->chosen};
    stored_part_vec own = {0};
    int at = 0;

    if (!find_missing(s, n_equal, &part))
        return false;
    VEC_PUSH(s->arena, &own, part);
    for (int k = 0; k < s->store->limit.n; k++) {
        const struct way *limit = s->store->limit.at[k];
        if (!add_choices(s, limit, &s->store->choice.at[at], &own))
            return false;
        at += limit->n_alternative;
    }
    for (int k = 0; k < own.n; k++)
        VEC_PUSH(s->arena, parts, own.at[k]);
    return true;
}
