#include "lower/facts/known.h"

#include "lower/facts/over.h"
#include "poly/keep.h"

bool known_same_condition(const struct condition *a, const struct condition *b)
{
    return a->equal == b->equal && a->affine && b->affine && affine_equal(a->affine, b->affine);
}

static bool same_guard(const struct guard *a, const struct guard *b)
{
    bool same = a->n == b->n;

    for (int k = 0; k < a->n && same; k++)
        same = known_same_condition(&a->condition[k], &b->condition[k]);
    return same;
}

/* Do a and b add the same to what is known? */
static bool same_addition(const struct known *a, const struct known *b)
{
    bool same = a->kind == b->kind && a->n == b->n;

    if (a->kind == KNOWN_DIMENSION || !same)
        return same && a->var == b->var;
    if (a->kind == KNOWN_CONDITION)
        return known_same_condition(&a->condition, &b->condition);
    for (int k = 0; k < a->n && same; k++)
        same = same_guard(&a->alternative[k], &b->alternative[k]);
    return same;
}

/* Passes come to the same places one after the other: what one of them has found out is there for the next. */
struct known *known_with(struct arena *arena, struct known *outer, struct known next)
{
    struct known *known;

    for (int k = 0; outer && k < outer->next.n; k++)
        if (same_addition(outer->next.at[k], &next))
            return outer->next.at[k];
    known = ARENA_NEW(arena, struct known);
    *known = next;
    known->outer = outer;
    if (outer)
        VEC_PUSH(arena, &outer->next, known);
    return known;
}

static bool is_plain(const struct known *known)
{
    return known->kind == KNOWN_DIMENSION || known->kind == KNOWN_CONDITION;
}

/* before with the dimensions and conditions from known outwards up to base. */
static __isl_give isl_set *extended(struct arena *arena, const struct known *known, const struct known *base,
                                    __isl_take isl_set *before)
{
    VEC(const struct condition *) condition = {0};
    VEC(const struct var *) var = {0};

    for (; known != base; known = known->outer)
        if (known->kind == KNOWN_DIMENSION)
            VEC_PUSH(arena, &var, known->var);
        else
            VEC_PUSH(arena, &condition, &known->condition);
    for (int k = var.n - 1; k >= 0; k--)
        before = over_with_dimension(before, var.at[k]);
    return over_where_all(before, condition.at, condition.n);
}

/* What known adds to the alternatives before it, or all that was assumed since the last place that others share. */
static __isl_give isl_set *made_set(struct arena *arena, struct known *known)
{
    struct known *base = known->outer;

    if (known->kind == KNOWN_ANY)
        return over_guards(known_set(arena, base), known->alternative, known->n);
    if (known->kind == KNOWN_NONE)
        return isl_set_subtract(isl_set_copy(known_set(arena, base)),
                                over_guards(known_set(arena, base), known->alternative, known->n));
    while (!base->set && base->next.n == 1 && is_plain(base))
        base = base->outer;
    return extended(arena, known, base, isl_set_copy(known_set(arena, base)));
}

__isl_keep isl_set *known_set(struct arena *arena, struct known *known)
{
    if (!known->set)
        known->set = poly_keep_set(arena, made_set(arena, known));
    return known->set;
}
