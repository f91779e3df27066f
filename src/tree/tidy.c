#include "tree/affine.h"

/* factor of the floor's operand for var when outer * var of the sum goes into the floor too; 0 when it cannot. */
static int64_t absorbed_factor(const struct affine_term *floor, const struct affine_term *outer)
{
    const struct atom *atom = floor->atom;
    const int64_t inner = affine_factor(atom->arg[0], outer->atom->var);
    int64_t factor;

    if (outer->factor % floor->factor ||
        __builtin_mul_overflow(outer->factor / floor->factor, atom->divisor, &factor) ||
        __builtin_add_overflow(factor, inner, &factor))
        return 0;
    return inner && factor > -atom->divisor && factor < atom->divisor ? factor : 0;
}

/* a with the variables absorbed into its term at `at`, a floor; a itself when none can be. */
static const struct affine *absorb(struct arena *arena, const struct affine *a, int at)
{
    const struct affine_term *floor = &a->term[at];
    const struct affine *operand = floor->atom->arg[0], *rest = a, *self;
    bool changed = false;

    for (int k = 0; k < a->n_term; k++) {
        const struct affine_term *outer = &a->term[k];
        const int64_t factor = outer->atom->kind == ATOM_VAR ? absorbed_factor(floor, outer) : 0;
        if (!factor)
            continue;
        const struct affine *var = affine_var(arena, outer->atom->var);
        const int64_t inner = affine_factor(operand, outer->atom->var);
        operand = affine_add(arena, operand, affine_scale(arena, var, factor - inner));
        rest = affine_sub(arena, rest, affine_scale(arena, var, outer->factor));
        changed = true;
    }
    if (!changed)
        return a;
    self = affine_floor(arena, floor->atom->arg[0], floor->atom->divisor);
    rest = affine_sub(arena, rest, affine_scale(arena, self, floor->factor));
    operand = affine_floor(arena, operand, floor->atom->divisor);
    return affine_add(arena, rest, affine_scale(arena, operand, floor->factor));
}

int affine_terms(const struct affine *a)
{
    int n = a->n_term + (a->constant != 0);

    for (int k = 0; k < a->n_term; k++)
        for (int arg = 0; arg < a->term[k].atom->n_arg; arg++)
            n += affine_terms(a->term[k].atom->arg[arg]);
    return n;
}

static const struct affine *tidy_arguments(struct arena *arena, const struct affine *a)
{
    const struct affine *result = affine_constant(arena, a->constant);

    for (int k = 0; k < a->n_term; k++) {
        const struct atom *atom = a->term[k].atom;
        const struct affine *value;
        const struct affine **arg = ARENA_ARRAY(arena, atom->n_arg, const struct affine *);
        for (int n = 0; n < atom->n_arg; n++)
            arg[n] = affine_tidy(arena, atom->arg[n]);
        if (atom->kind == ATOM_VAR)
            value = affine_var(arena, atom->var);
        else if (atom->kind == ATOM_FLOOR)
            value = affine_floor(arena, arg[0], atom->divisor);
        else
            value = affine_extreme(arena, atom->kind, arg, atom->n_arg);
        result = affine_add(arena, result, affine_scale(arena, value, a->term[k].factor));
    }
    return result;
}

static bool is_plain_sum(const struct affine *a)
{
    for (int k = 0; k < a->n_term; k++)
        if (a->term[k].atom->kind != ATOM_VAR)
            return false;
    return true;
}

static const struct affine *absorb_all(struct arena *arena, const struct affine *a)
{
    for (int k = 0; a && k < a->n_term; k++) {
        const struct affine *next = a->term[k].atom->kind == ATOM_FLOOR ? absorb(arena, a, k) : a;
        if (next && next != a && affine_terms(next) < affine_terms(a)) {
            a = next;
            k = -1;
        }
    }
    return a;
}

static const struct affine *shorter(const struct affine *a, const struct affine *b)
{
    return b && affine_terms(b) < affine_terms(a) ? b : a;
}

const struct affine *affine_tidy(struct arena *arena, const struct affine *a)
{
    if (!a || is_plain_sum(a))
        return a;
    const struct affine *inside = tidy_arguments(arena, a);
    if (!inside)
        return a;
    const struct affine *best = shorter(a, absorb_all(arena, inside));
    return shorter(best, absorb_all(arena, affine_fold_floors(arena, inside)));
}
