#include "lower/facts/shown.h"

#include "lower/facts/known.h"

/* What is >= 0 as well where a with one floor is: q * floor(e / d) + r <= (q * e + d * r) / d for q > 0. */
static const struct affine *without_floor(struct arena *arena, const struct affine *a)
{
    const struct affine_term *floor = NULL;
    const struct affine *operand, *rest;
    struct affine term = {0, 1, NULL};

    for (int k = 0; k < a->n_term; k++)
        floor = a->term[k].atom->kind == ATOM_FLOOR ? &a->term[k] : floor;
    if (!floor)
        return NULL;
    term.term = floor;
    operand = floor->atom->arg[0];
    operand = floor->factor > 0 ? operand : affine_add_constant(arena, operand, 1 - floor->atom->divisor);
    rest = affine_scale(arena, affine_sub(arena, a, &term), floor->atom->divisor);
    return affine_add(arena, affine_scale(arena, operand, floor->factor), rest);
}

static bool follows(const struct facts *facts, const struct affine *a, int depth);

/* Is a >= 0 where known >= 0, as the spans of what is between them or, where that is simpler, other facts show? */
static bool less_follows(const struct facts *facts, const struct affine *known, const struct affine *a, int depth)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *more = known ? affine_sub(arena, a, known) : NULL;

    if (!more)
        return false;
    return span_of(arena, facts->bound, more).low >= 0 ||
           (depth > 0 && more->n_term <= a->n_term && follows(facts, more, depth - 1));
}

/* Is a >= 0 where condition holds? */
static bool implies(const struct facts *facts, const struct condition *condition, const struct affine *a, int depth)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *known = condition->affine;

    for (int side = 0; known && side <= (condition->equal ? 1 : 0); side++) {
        if (less_follows(facts, known, a, depth) || less_follows(facts, without_floor(arena, known), a, depth))
            return true;
        known = affine_scale(arena, known, -1);
    }
    return false;
}

/* Does a >= 0 follow from one thing that is known, or from depth more? */
static bool follows(const struct facts *facts, const struct affine *a, int depth)
{
    for (const struct known *known = facts->known; a && known; known = known->outer)
        if (known->kind == KNOWN_CONDITION && implies(facts, &known->condition, a, depth))
            return true;
    return false;
}

/* a >= 0; false for NULL, too. */
static bool shown(const struct facts *facts, const struct affine *a)
{
    struct arena *arena = facts->lowering->arena;
    const struct arena_mark mark = arena_mark(arena);
    const bool holds = a && (span_of(arena, facts->bound, a).low >= 0 || follows(facts, a, 1));

    arena_rewind(arena, mark);
    return holds;
}

bool shown_refuted(const struct facts *facts, const struct condition *condition)
{
    struct arena *arena = facts->lowering->arena;

    for (int k = 0; k < facts->known->refuted.n; k++)
        if (known_same_condition(&facts->known->refuted.at[k], condition))
            return true;
    return shown(facts, affine_add_constant(arena, affine_scale(arena, condition->affine, -1), -1)) ||
           (condition->equal && shown(facts, affine_add_constant(arena, condition->affine, -1)));
}

bool shown_guard(const struct facts *facts, const struct guard *guard)
{
    for (int c = 0; c < guard->n; c++) {
        const struct affine *a = guard->condition[c].affine;
        if (!shown(facts, a) ||
            (guard->condition[c].equal && !shown(facts, affine_scale(facts->lowering->arena, a, -1))))
            return false;
    }
    return true;
}

/* Is one of b's conditions refuted where a holds? */
static bool are_refuted(const struct facts *facts, const struct guard *a, const struct guard *b)
{
    struct facts inside = *facts;

    facts_assume_guards(&inside, a, 1);
    for (int c = 0; c < b->n; c++)
        if (shown_refuted(&inside, &b->condition[c]))
            return true;
    return false;
}

bool shown_exclusive(const struct facts *facts, const struct node *a, const struct node *b)
{
    for (int i = 0; i < a->n_alternative; i++)
        for (int k = 0; k < b->n_alternative; k++)
            if (!are_refuted(facts, &a->alternative[i], &b->alternative[k]))
                return false;
    return true;
}
