/* Floor divisions of affine expressions: which there are, new ones in canonical form, and which C rounds right. */
#include "tree/affine.h"

static bool moves(const struct var *var, const void *user)
{
    (void)user;
    return var->kind != VAR_PARAM;
}

static bool has_floor(const struct affine *a, bool moving)
{
    for (int k = 0; k < a->n_term; k++) {
        const struct atom *atom = a->term[k].atom;
        if (atom->kind == ATOM_FLOOR && (!moving || affine_any_var(atom->arg[0], moves, NULL)))
            return true;
        for (int arg = 0; arg < atom->n_arg; arg++)
            if (has_floor(atom->arg[arg], moving))
                return true;
    }
    return false;
}

bool affine_has_floor(const struct affine *a)
{
    return has_floor(a, false);
}

bool affine_has_moving_floor(const struct affine *a)
{
    return has_floor(a, true);
}

/* a = divisor * whole + rest: the rest has factors below the divisor and a constant in 0..divisor - 1. */
static void split_multiples(struct arena *arena, const struct affine *a, int64_t divisor, struct affine *whole,
                            struct affine *rest)
{
    struct affine_term *outer = ARENA_ARRAY(arena, a->n_term, struct affine_term);
    struct affine_term *inner = ARENA_ARRAY(arena, a->n_term, struct affine_term);

    *whole = (struct affine){floor_div(a->constant, divisor), 0, outer};
    *rest = (struct affine){a->constant - divisor * whole->constant, 0, inner};
    for (int k = 0; k < a->n_term; k++) {
        const int64_t factor = a->term[k].factor;
        const struct atom *atom = a->term[k].atom;
        if (factor / divisor)
            outer[whole->n_term++] = (struct affine_term){factor / divisor, atom};
        if (factor % divisor)
            inner[rest->n_term++] = (struct affine_term){factor % divisor, atom};
    }
}

/* Divides operand and divisor of floor(a / divisor) by what all factors and the divisor share. */
static const struct affine *reduce_fraction(struct arena *arena, const struct affine *a, int64_t *divisor)
{
    int64_t common = *divisor;
    struct affine *reduced = ARENA_NEW(arena, struct affine);
    struct affine_term *term = ARENA_ARRAY(arena, a->n_term, struct affine_term);

    for (int k = 0; k < a->n_term; k++)
        common = common_divisor(a->term[k].factor, common);
    for (int k = 0; k < a->n_term; k++)
        term[k] = (struct affine_term){a->term[k].factor / common, a->term[k].atom};
    *reduced = (struct affine){floor_div(a->constant, common), a->n_term, term};
    *divisor /= common;
    return reduced;
}

/* Mostly negative, or the first of as many positive as negative terms is. */
static bool is_negative(const struct affine *a)
{
    int balance = 0;

    for (int k = 0; k < a->n_term; k++)
        balance += a->term[k].factor < 0 ? -1 : 1;
    return balance < 0 || (balance == 0 && a->term[0].factor < 0);
}

/* The atom floor(a / divisor) for an operand that split_multiples and reduce_fraction left. */
static const struct affine *floor_atom(struct arena *arena, const struct affine *a, int64_t divisor)
{
    struct atom *atom = ARENA_NEW(arena, struct atom);
    const struct affine **arg = ARENA_NEW(arena, const struct affine *);

    arg[0] = a;
    *atom = (struct atom){.kind = ATOM_FLOOR, .arg = arg, .n_arg = 1, .divisor = divisor};
    return affine_atom(arena, atom);
}

/* floor((floor(e / b) + c) / d) = floor((e + b * c) / (b * d)) */
static const struct affine *floor_of_floor(struct arena *arena, const struct affine *a, int64_t divisor)
{
    const struct atom *inner = a->term[0].atom;
    int64_t product;

    if (__builtin_mul_overflow(inner->divisor, divisor, &product))
        return NULL;
    const struct affine *shift = affine_scale(arena, affine_constant(arena, a->constant), inner->divisor);
    return affine_floor(arena, affine_add(arena, inner->arg[0], shift), product);
}

const struct affine *affine_floor(struct arena *arena, const struct affine *a, int64_t divisor)
{
    if (!a || divisor <= 1)
        return divisor == 1 ? a : NULL;
    struct affine *whole = ARENA_NEW(arena, struct affine), *rest = ARENA_NEW(arena, struct affine);

    split_multiples(arena, a, divisor, whole, rest);
    if (!rest->n_term)
        return whole;
    const struct affine *operand = reduce_fraction(arena, rest, &divisor);
    const struct affine_term *only = operand->n_term == 1 ? &operand->term[0] : NULL;
    const bool nested = only && only->factor == 1 && only->atom->kind == ATOM_FLOOR;
    if (is_negative(operand)) {
        operand = affine_combine(arena, operand, -1, affine_constant(arena, divisor - 1), 1);
        return affine_combine(arena, whole, 1, affine_floor(arena, operand, divisor), -1);
    }
    return affine_add(arena, whole,
                      nested ? floor_of_floor(arena, operand, divisor) : floor_atom(arena, operand, divisor));
}

/* The multiple of divisor nearest to factor, over divisor. */
static int64_t nearest_multiple(int64_t factor, int64_t divisor)
{
    const int64_t whole = floor_div(factor, divisor), rest = factor - whole * divisor;

    return whole + (rest > divisor / 2);
}

static const struct affine *fold_floor(struct arena *arena, const struct atom *atom)
{
    const struct affine *operand = affine_fold_floors(arena, atom->arg[0]), *whole = affine_constant(arena, 0);

    for (int k = 0; operand && k < operand->n_term; k++) {
        const int64_t multiple = nearest_multiple(operand->term[k].factor, atom->divisor);
        if (multiple)
            whole = affine_combine(arena, whole, 1, affine_atom(arena, operand->term[k].atom), multiple);
    }
    operand = affine_sub(arena, operand, affine_scale(arena, whole, atom->divisor));
    return affine_add(arena, whole, affine_floor(arena, operand, atom->divisor));
}

const struct affine *affine_fold_floors(struct arena *arena, const struct affine *a)
{
    if (!a)
        return NULL;
    const struct affine *result = affine_constant(arena, a->constant);
    for (int k = 0; k < a->n_term; k++) {
        const struct atom *atom = a->term[k].atom;
        const struct affine *term = atom->kind == ATOM_FLOOR ? fold_floor(arena, atom) : affine_atom(arena, atom);
        result = affine_combine(arena, result, 1, term, a->term[k].factor);
    }
    return result;
}

/* -q + 2 * floor((q + 1) / 2) is q mod 2, as floor(q / 2) + floor((q + 1) / 2) is q: here q is e / h with 2 * h the
 * term's divisor and e + h its operand. a itself where the term at `at` is none such. */
static const struct affine *alternating(struct arena *arena, const struct affine *a, int at)
{
    const struct affine_term *term = &a->term[at];
    const int64_t half = term->atom->divisor / 2, pairs = term->factor / 2;
    const struct affine *operand, *whole, *rest;

    if (term->atom->kind != ATOM_FLOOR || term->atom->divisor % 2 || term->factor % 2 || pairs <= 0 ||
        term->atom->arg[0]->constant < half)
        return a;
    operand = affine_add_constant(arena, term->atom->arg[0], -half);
    whole = affine_floor(arena, operand, half);
    rest = affine_combine(arena, a, 1, whole, pairs);
    if (!rest || whole->n_term == 0 || rest->n_term != a->n_term - whole->n_term)
        return a;
    rest = affine_combine(arena, rest, 1, affine_atom(arena, term->atom), -term->factor);
    return affine_combine(arena, rest, 1, affine_mod(arena, whole, 2), pairs);
}

const struct affine *affine_alternate(struct arena *arena, const struct affine *a)
{
    for (int k = 0; a && k < a->n_term; k++) {
        const struct affine *next = alternating(arena, a, k);
        if (next != a)
            return next ? affine_alternate(arena, next) : NULL;
    }
    return a;
}

const struct affine *affine_mod(struct arena *arena, const struct affine *a, int64_t divisor)
{
    return affine_sub(arena, a, affine_scale(arena, affine_floor(arena, a, divisor), divisor));
}

/* floor(e / d) with e >= 0, or -floor((d - 1 - e) / d) with e < 0, is plain. */
static const struct affine *floor_mark_plain(struct arena *arena, struct atom *floor, const struct affine **operand,
                                             bool (*non_negative)(void *user, const struct affine *), void *user)
{
    const struct affine *reversed = affine_combine(arena, *operand, -1, affine_constant(arena, floor->divisor - 1), 1);

    floor->plain = floor->plain || non_negative(user, *operand);
    if (floor->plain || !reversed || !non_negative(user, reversed))
        return affine_atom(arena, floor);
    *operand = reversed;
    floor->plain = true;
    return affine_scale(arena, affine_atom(arena, floor), -1);
}

static const struct affine *atom_mark_plain(struct arena *arena, const struct atom *atom,
                                            bool (*non_negative)(void *user, const struct affine *), void *user)
{
    if (atom->kind == ATOM_VAR)
        return affine_atom(arena, atom);
    struct atom *marked = ARENA_NEW(arena, struct atom);
    const struct affine **arg = ARENA_ARRAY(arena, atom->n_arg, const struct affine *);

    for (int k = 0; k < atom->n_arg; k++)
        arg[k] = affine_mark_plain(arena, atom->arg[k], non_negative, user);
    *marked = *atom;
    marked->arg = arg;
    return atom->kind == ATOM_FLOOR ? floor_mark_plain(arena, marked, arg, non_negative, user)
                                    : affine_atom(arena, marked);
}

const struct affine *affine_mark_plain(struct arena *arena, const struct affine *a,
                                       bool (*non_negative)(void *user, const struct affine *), void *user)
{
    bool composite = false;

    for (int k = 0; a && k < a->n_term; k++)
        composite |= a->term[k].atom->kind != ATOM_VAR;
    if (!composite)
        return a;
    const struct affine *marked = affine_constant(arena, a->constant);
    for (int k = 0; k < a->n_term; k++)
        marked = affine_combine(arena, marked, 1, atom_mark_plain(arena, a->term[k].atom, non_negative, user),
                                a->term[k].factor);
    return marked;
}

static const struct affine *atom_unmark(struct arena *arena, const struct atom *atom)
{
    const struct affine **arg = ARENA_ARRAY(arena, atom->n_arg + 1, const struct affine *);

    for (int k = 0; k < atom->n_arg; k++) {
        arg[k] = affine_unmark(arena, atom->arg[k]);
        if (!arg[k])
            return NULL;
    }
    return atom->kind == ATOM_VAR     ? affine_atom(arena, atom)
           : atom->kind == ATOM_FLOOR ? affine_floor(arena, arg[0], atom->divisor)
                                      : affine_extreme(arena, atom->kind, arg, atom->n_arg);
}

const struct affine *affine_unmark(struct arena *arena, const struct affine *a)
{
    const struct affine *result = affine_constant(arena, a->constant);

    for (int k = 0; k < a->n_term; k++)
        result = affine_combine(arena, result, 1, atom_unmark(arena, a->term[k].atom), a->term[k].factor);
    return result;
}
