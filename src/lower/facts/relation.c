#include "lower/facts/relation.h"

#include "lower/facts/over.h"

#include "base/vec.h"
#include "poly/number.h"

#include <isl/constraint.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

struct search {
    const struct facts *facts;
    int n; /* expressions */
    VEC(struct relation) found;
};

static bool coefficient(__isl_keep isl_constraint *constraint, enum isl_dim_type type, int at, int64_t *number)
{
    return poly_number(isl_constraint_get_coefficient_val(constraint, type, at), number);
}

static const struct affine *subtract_variable(const struct search *search, __isl_keep isl_constraint *constraint,
                                              const struct affine *rest, const struct var *var)
{
    struct arena *arena = search->facts->lowering->arena;
    isl_space *space = isl_constraint_get_space(constraint);
    int64_t factor;
    const bool fits = coefficient(constraint, isl_dim_param, over_dimension(space, var), &factor);

    isl_space_free(space);
    return fits ? affine_sub(arena, rest, affine_scale(arena, affine_var(arena, var), factor)) : NULL;
}

/* What the expressions' multiples add up to; NULL: numbers that do not fit. */
static const struct affine *rest_of(const struct search *search, __isl_keep isl_constraint *constraint)
{
    const struct affine *rest;
    int64_t constant;

    if (!poly_number(isl_constraint_get_constant_val(constraint), &constant))
        return NULL;
    rest = affine_constant(search->facts->lowering->arena, -constant);
    for (const struct bound_var *bound = search->facts->bound; bound; bound = bound->outer)
        rest = subtract_variable(search, constraint, rest, bound->var);
    return rest;
}

static isl_stat add_equation(__isl_take isl_constraint *constraint, void *user)
{
    struct search *search = user;
    struct arena *arena = search->facts->lowering->arena;
    int64_t *factor = ARENA_ARRAY(arena, search->n, int64_t);
    bool any = false, fit = true;

    for (int k = 0; k < search->n; k++) {
        fit = coefficient(constraint, isl_dim_set, k, &factor[k]) && fit;
        any = any || factor[k] != 0;
    }
    if (fit && any && isl_constraint_is_equality(constraint) == isl_bool_true) {
        const struct relation relation = {factor, rest_of(search, constraint)};
        if (relation.rest)
            VEC_PUSH(arena, &search->found, relation);
    }
    isl_constraint_free(constraint);
    return isl_stat_ok;
}

int relations_find(const struct facts *facts, const struct affine *const *a, int n, const struct relation **relation)
{
    struct search search = {.facts = facts, .n = n};
    isl_basic_set *hull = isl_basic_set_remove_divs(isl_set_affine_hull(facts_values(facts, a, n)));

    if (isl_basic_set_foreach_constraint(hull, add_equation, &search) != isl_stat_ok)
        search.found.n = 0;
    isl_basic_set_free(hull);
    *relation = search.found.at;
    return search.found.n;
}

/* floor(e / d) is (e - c) / d where e is always c modulo d. */
static bool is_floor_told(const struct facts *facts, const struct atom *floor, struct quotient *quotient)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *remainder = affine_mod(arena, floor->arg[0], floor->divisor), *past;
    struct span span;

    if (!remainder || !relation_is_told(facts, floor->arg[0], quotient))
        return false;
    span = span_of(arena, facts->bound, remainder);
    if (span.low != span.high)
        return false;
    past = affine_scale(arena, affine_constant(arena, span.low), quotient->divisor);
    quotient->sum = affine_sub(arena, quotient->sum, past);
    return quotient->sum && !__builtin_mul_overflow(quotient->divisor, floor->divisor, &quotient->divisor);
}

/* Adds factor * term to quotient; false on overflow. */
static bool add_quotient(struct arena *arena, struct quotient *quotient, int64_t factor, struct quotient term)
{
    const int64_t common = common_divisor(quotient->divisor, term.divisor), scale = quotient->divisor / common;
    int64_t factor_here;

    if (__builtin_mul_overflow(factor, scale, &factor_here))
        return false;
    quotient->sum = affine_scale(arena, quotient->sum, term.divisor / common);
    quotient->sum = affine_add(arena, quotient->sum, affine_scale(arena, term.sum, factor_here));
    return quotient->sum && !__builtin_mul_overflow(scale, term.divisor, &quotient->divisor);
}

static struct quotient in_lowest_terms(struct arena *arena, struct quotient quotient)
{
    int64_t common = common_divisor(quotient.divisor, quotient.sum->constant);

    for (int k = 0; k < quotient.sum->n_term; k++)
        common = common_divisor(common, quotient.sum->term[k].factor);
    if (common > 1)
        quotient = (struct quotient){affine_floor(arena, quotient.sum, common), quotient.divisor / common};
    return quotient;
}

bool relation_is_told(const struct facts *facts, const struct affine *a, struct quotient *quotient)
{
    struct arena *arena = facts->lowering->arena;

    *quotient = (struct quotient){affine_constant(arena, a->constant), 1};
    for (int k = 0; k < a->n_term; k++) {
        const struct atom *atom = a->term[k].atom;
        struct quotient term = {NULL, 1};
        if (atom->kind == ATOM_VAR)
            term.sum = affine_var(arena, atom->var);
        else if (atom->kind != ATOM_FLOOR || !is_floor_told(facts, atom, &term))
            return false;
        if (!add_quotient(arena, quotient, a->term[k].factor, term))
            return false;
    }
    *quotient = in_lowest_terms(arena, *quotient);
    return true;
}

/* isl's answer. */
static const struct affine *found_quotient(const struct facts *facts, const struct affine *a)
{
    struct arena *arena = facts->lowering->arena;
    const struct relation *relation;
    const struct affine *solution = NULL;
    const int n = relations_find(facts, &a, 1, &relation);
    int64_t smallest = 0;

    for (int k = 0; k < n; k++) {
        const int64_t factor = relation[k].coefficient[0], divisor = factor < 0 ? -factor : factor;
        if (solution && divisor >= smallest)
            continue;
        smallest = divisor;
        solution = affine_floor(arena, affine_scale(arena, relation[k].rest, factor < 0 ? -1 : 1), divisor);
    }
    return solution;
}

const struct affine *relation_quotient(const struct facts *facts, const struct affine *a)
{
    struct quotient quotient;

    if (relation_is_told(facts, a, &quotient))
        return affine_floor(facts->lowering->arena, quotient.sum, quotient.divisor);
    return found_quotient(facts, a);
}

const struct affine *relation_linear(const struct facts *facts, const struct affine *a)
{
    const struct affine *quotient = relation_quotient(facts, a);

    return quotient && !affine_has_floor(quotient) ? quotient : NULL;
}
