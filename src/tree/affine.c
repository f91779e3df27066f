#include "tree/affine.h"

#include <stdlib.h>
#include <string.h>

enum { FEW_TERMS = 24 }; /* of two sums, that have room on the stack */

static int compare_numbers(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare_args(const struct atom *a, const struct atom *b)
{
    for (int k = 0; k < a->n_arg && k < b->n_arg; k++) {
        const int order = affine_compare(a->arg[k], b->arg[k]);
        if (order)
            return order;
    }
    return compare_numbers(a->n_arg, b->n_arg);
}

int atom_compare(const struct atom *a, const struct atom *b)
{
    if (a == b)
        return 0;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->kind == ATOM_VAR)
        return compare_numbers(a->var->id, b->var->id);
    const int order = compare_args(a, b);
    return order ? order : compare_numbers(a->divisor, b->divisor);
}

int affine_compare(const struct affine *a, const struct affine *b)
{
    if (a == b)
        return 0;
    for (int k = 0; k < a->n_term && k < b->n_term; k++) {
        int order = atom_compare(a->term[k].atom, b->term[k].atom);
        if (!order)
            order = compare_numbers(a->term[k].factor, b->term[k].factor);
        if (order)
            return order;
    }
    const int order = compare_numbers(a->n_term, b->n_term);
    return order ? order : compare_numbers(a->constant, b->constant);
}

bool affine_equal(const struct affine *a, const struct affine *b)
{
    return a == b || (a && b && affine_compare(a, b) == 0);
}

/* fa * a + fb * b, unless it leaves -INT64_MAX..INT64_MAX. */
static bool combine_numbers(int64_t a, int64_t fa, int64_t b, int64_t fb, int64_t *result)
{
    int64_t left, right;

    return !__builtin_mul_overflow(a, fa, &left) && !__builtin_mul_overflow(b, fb, &right) &&
           !__builtin_add_overflow(left, right, result) && *result != INT64_MIN;
}

/* Takes the first remaining term of a, of b, or of both when they have the same atom. */
static void merge_term(const struct affine *a, int *i, const struct affine *b, int *j, struct affine_term *a_term,
                       struct affine_term *b_term)
{
    const int order = *i == a->n_term ? 1 : *j == b->n_term ? -1 : atom_compare(a->term[*i].atom, b->term[*j].atom);

    *a_term = order <= 0 ? a->term[(*i)++] : (struct affine_term){0, NULL};
    *b_term = order >= 0 ? b->term[(*j)++] : (struct affine_term){0, NULL};
}

static const struct atom *common_atom(const struct atom *a, const struct atom *b)
{
    if (!a || !b)
        return a ? a : b;
    return a->plain ? b : a;
}

static const struct affine *affine_of(struct arena *arena, int64_t constant, const struct affine_term *term, int n_term)
{
    struct affine *affine = ARENA_NEW(arena, struct affine);

    *affine = (struct affine){constant, n_term, term};
    return affine;
}

const struct affine *affine_combine(struct arena *arena, const struct affine *a, int64_t fa, const struct affine *b,
                                    int64_t fb)
{
    struct affine_term few[FEW_TERMS], *term = few, *kept = NULL;
    int64_t constant;
    int n = 0;

    if (!a || !b || !combine_numbers(a->constant, fa, b->constant, fb, &constant))
        return NULL;
    if (a->n_term + b->n_term > FEW_TERMS)
        kept = term = ARENA_ARRAY(arena, a->n_term + b->n_term, struct affine_term);
    for (int i = 0, j = 0; i < a->n_term || j < b->n_term;) {
        struct affine_term left, right;
        merge_term(a, &i, b, &j, &left, &right);
        if (!combine_numbers(left.factor, fa, right.factor, fb, &term[n].factor))
            return NULL;
        term[n].atom = common_atom(left.atom, right.atom);
        n += term[n].factor != 0;
    }
    if (n > 0 && !kept)
        kept = memcpy(ARENA_ARRAY(arena, n, struct affine_term), few, (size_t)n * sizeof(*few));
    return affine_of(arena, constant, kept, n);
}

const struct affine *affine_constant(struct arena *arena, int64_t value)
{
    struct affine *a = ARENA_NEW(arena, struct affine);

    a->constant = value;
    return value == INT64_MIN ? NULL : a;
}

const struct affine *affine_atom(struct arena *arena, const struct atom *atom)
{
    struct affine *a = ARENA_NEW(arena, struct affine);
    struct affine_term *term = ARENA_NEW(arena, struct affine_term);

    *term = (struct affine_term){1, atom};
    a->n_term = 1;
    a->term = term;
    return a;
}

const struct affine *affine_var(struct arena *arena, const struct var *var)
{
    struct atom *atom = ARENA_NEW(arena, struct atom);

    atom->kind = ATOM_VAR;
    atom->var = var;
    return affine_atom(arena, atom);
}

const struct affine *affine_add(struct arena *arena, const struct affine *a, const struct affine *b)
{
    return affine_combine(arena, a, 1, b, 1);
}

const struct affine *affine_sub(struct arena *arena, const struct affine *a, const struct affine *b)
{
    return affine_combine(arena, a, 1, b, -1);
}

const struct affine *affine_add_constant(struct arena *arena, const struct affine *a, int64_t constant)
{
    int64_t sum;

    return a && combine_numbers(a->constant, 1, constant, 1, &sum) ? affine_of(arena, sum, a->term, a->n_term) : NULL;
}

const struct affine *affine_scale(struct arena *arena, const struct affine *a, int64_t factor)
{
    static const struct affine zero;

    return affine_combine(arena, a, factor, &zero, 0);
}

int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* The arguments of a minimum or maximum under construction: sorted, no two with a constant difference. */
struct extreme {
    struct arena *arena;
    enum atom_kind kind;
    const struct affine **arg;
    int n, capacity;
    bool failed;
};

static void extreme_insert(struct extreme *extreme, const struct affine *a)
{
    int at = extreme->n;

    if (extreme->n == extreme->capacity) {
        const struct affine **grown = ARENA_ARRAY(extreme->arena, 2 * extreme->n + 4, const struct affine *);
        for (int k = 0; k < extreme->n; k++)
            grown[k] = extreme->arg[k];
        extreme->arg = grown;
        extreme->capacity = 2 * extreme->n + 4;
    }
    for (; at > 0 && affine_compare(extreme->arg[at - 1], a) > 0; at--)
        extreme->arg[at] = extreme->arg[at - 1];
    extreme->arg[at] = a;
    extreme->n++;
}

static void extreme_remove(struct extreme *extreme, int at)
{
    extreme->n--;
    for (int k = at; k < extreme->n; k++)
        extreme->arg[k] = extreme->arg[k + 1];
}

static void extreme_add_one(struct extreme *extreme, const struct affine *a)
{
    for (int k = 0; k < extreme->n; k++) {
        int64_t difference;
        const struct affine *gap = affine_sub(extreme->arena, a, extreme->arg[k]);
        if (!gap || !affine_is_constant(gap, &difference))
            continue;
        if (extreme->kind == ATOM_MIN ? difference >= 0 : difference <= 0)
            return;
        extreme_remove(extreme, k);
        break;
    }
    extreme_insert(extreme, a);
}

/* Adds a; a nested extreme of the same kind, plus a constant, gives its arguments. */
static void extreme_add(struct extreme *extreme, const struct affine *a)
{
    const bool single = a && a->n_term == 1 && a->term[0].factor == 1;

    if (!a)
        extreme->failed = true;
    else if (!single || a->term[0].atom->kind != extreme->kind)
        extreme_add_one(extreme, a);
    else
        for (int k = 0; k < a->term[0].atom->n_arg; k++)
            extreme_add(extreme, affine_add_constant(extreme->arena, a->term[0].atom->arg[k], a->constant));
}

const struct affine *affine_extreme(struct arena *arena, enum atom_kind kind, const struct affine *const *arg, int n)
{
    struct extreme extreme = {.arena = arena, .kind = kind};

    for (int k = 0; k < n; k++)
        extreme_add(&extreme, arg[k]);
    if (extreme.failed || !extreme.n)
        return NULL;
    if (extreme.n == 1)
        return extreme.arg[0];
    struct atom *atom = ARENA_NEW(arena, struct atom);
    *atom = (struct atom){.kind = kind, .arg = extreme.arg, .n_arg = extreme.n};
    return affine_atom(arena, atom);
}

bool affine_is_constant(const struct affine *a, int64_t *value)
{
    if (!a || a->n_term)
        return false;
    if (value)
        *value = a->constant;
    return true;
}

static bool atom_any_var(const struct atom *atom, var_test *test, const void *user)
{
    if (atom->kind == ATOM_VAR)
        return test(atom->var, user);
    for (int k = 0; k < atom->n_arg; k++)
        if (affine_any_var(atom->arg[k], test, user))
            return true;
    return false;
}

bool affine_any_var(const struct affine *a, var_test *test, const void *user)
{
    for (int k = 0; a && k < a->n_term; k++)
        if (atom_any_var(a->term[k].atom, test, user))
            return true;
    return false;
}

static bool is_var(const struct var *var, const void *user)
{
    return var == user;
}

bool affine_uses(const struct affine *a, const struct var *var)
{
    return affine_any_var(a, is_var, var);
}

int64_t affine_factor(const struct affine *a, const struct var *var)
{
    for (int k = 0; a && k < a->n_term; k++)
        if (a->term[k].atom->kind == ATOM_VAR && a->term[k].atom->var == var)
            return a->term[k].factor;
    return 0;
}

bool affine_linear_factor(struct arena *arena, const struct affine *a, const struct var *var, int64_t *factor)
{
    const struct affine *rest;

    *factor = affine_factor(a, var);
    rest = affine_sub(arena, a, affine_scale(arena, affine_var(arena, var), *factor));
    return rest && !affine_uses(rest, var);
}

/* floor, of an operand that a substitution made from floor atom's: what is proved non-negative still is. */
static const struct affine *still_plain(struct arena *arena, const struct atom *atom, const struct affine *floor,
                                        const struct affine *operand)
{
    struct atom *plain = ARENA_NEW(arena, struct atom);

    if (!atom->plain || !floor || floor->n_term != 1 || floor->constant != 0 || floor->term->factor != 1 ||
        floor->term->atom->kind != ATOM_FLOOR || !affine_equal(floor->term->atom->arg[0], operand))
        return floor;
    *plain = *floor->term->atom;
    plain->plain = true;
    return affine_atom(arena, plain);
}

static const struct affine *atom_substitute(struct arena *arena, const struct atom *atom, const struct var *var,
                                            const struct affine *value)
{
    if (!atom_any_var(atom, is_var, var))
        return affine_atom(arena, atom);
    if (atom->kind == ATOM_VAR)
        return value;
    const struct affine **arg = ARENA_ARRAY(arena, atom->n_arg, const struct affine *);
    for (int k = 0; k < atom->n_arg; k++)
        arg[k] = affine_substitute(arena, atom->arg[k], var, value);
    return atom->kind == ATOM_FLOOR ? still_plain(arena, atom, affine_floor(arena, arg[0], atom->divisor), arg[0])
                                    : affine_extreme(arena, atom->kind, arg, atom->n_arg);
}

int64_t common_divisor(int64_t a, int64_t b)
{
    return b ? common_divisor(b, a % b) : llabs(a);
}

int64_t affine_gcd(const struct affine *a)
{
    int64_t gcd = 0;

    for (int k = 0; k < a->n_term; k++)
        gcd = common_divisor(gcd, a->term[k].factor);
    return gcd;
}

const struct affine *affine_substitute(struct arena *arena, const struct affine *a, const struct var *var,
                                       const struct affine *value)
{
    if (!a || !value || !affine_uses(a, var))
        return value ? a : NULL;
    const struct affine *result = affine_constant(arena, a->constant);
    for (int k = 0; k < a->n_term; k++)
        result =
            affine_combine(arena, result, 1, atom_substitute(arena, a->term[k].atom, var, value), a->term[k].factor);
    return result;
}

static int64_t bound_of(const struct affine *a, const int64_t *param, int64_t unknown);

static int64_t atom_bound(const struct atom *atom, const int64_t *param, int64_t unknown)
{
    int64_t bound;

    if (atom->kind == ATOM_VAR)
        return atom->var->kind == VAR_PARAM ? param[atom->var->id] : unknown;
    bound = bound_of(atom->arg[0], param, unknown);
    if (atom->kind == ATOM_FLOOR)
        return bound == unknown ? bound : floor_div(bound, atom->divisor);
    for (int k = 1; k < atom->n_arg; k++) {
        const int64_t other = bound_of(atom->arg[k], param, unknown);
        if (atom->kind == ATOM_MAX ? other > bound : other < bound)
            bound = other;
    }
    return bound;
}

/* The bound of a that those of the parameters give, on the side on which unknown is infinite. */
static int64_t bound_of(const struct affine *a, const int64_t *param, int64_t unknown)
{
    int64_t sum = a->constant, part;

    for (int k = 0; k < a->n_term; k++) {
        const int64_t bound = atom_bound(a->term[k].atom, param, unknown);
        if (bound == unknown || a->term[k].factor < 0 || __builtin_mul_overflow(a->term[k].factor, bound, &part) ||
            __builtin_add_overflow(sum, part, &sum))
            return unknown;
    }
    return sum;
}

int64_t affine_least(const struct affine *a, const int64_t *param_least)
{
    return bound_of(a, param_least, INT64_MIN);
}

int64_t affine_most(const struct affine *a, const int64_t *param_most)
{
    return bound_of(a, param_most, INT64_MAX);
}
