#include "lower/body/preconditions.h"

#include "base/vec.h"
#include "poly/coalesce.h"
#include "poly/number.h"

#include <isl/constraint.h>
#include <isl/ilp.h>
#include <isl/val.h>

struct conversion {
    struct arena *arena;
    const struct var *const *param_var;
    const struct var *set_var; /* of the only dimension of a set; NULL: it has none */
    VEC(struct guard) guards;
    VEC(struct condition) conditions; /* of the current alternative */
};

static const struct affine *aff_value(struct conversion *conversion, __isl_keep isl_aff *aff);

static const struct affine *number(struct arena *arena, __isl_take isl_val *val)
{
    int64_t value;

    return poly_number(val, &value) ? affine_constant(arena, value) : NULL;
}

static const struct affine *scaled(struct arena *arena, const struct affine *a, __isl_take isl_val *factor)
{
    int64_t value;

    return affine_is_constant(number(arena, factor), &value) && a ? affine_scale(arena, a, value) : NULL;
}

/* Adds the terms of one kind of dimension. */
static const struct affine *add_terms(struct conversion *conversion, const struct affine *sum, __isl_keep isl_aff *aff,
                                      enum isl_dim_type type, isl_val *denominator)
{
    const isl_size n = isl_aff_dim(aff, type);

    for (isl_size k = 0; k < n; k++) {
        isl_val *factor = isl_aff_get_coefficient_val(aff, type, (int)k);
        const struct affine *part = NULL;
        if (isl_val_is_zero(factor)) {
            isl_val_free(factor);
            continue;
        }
        factor = isl_val_mul(factor, isl_val_copy(denominator));
        if (type == isl_dim_div) {
            isl_aff *div = isl_aff_get_div(aff, (int)k);
            part = aff_value(conversion, div);
            isl_aff_free(div);
        } else if (type == isl_dim_in) {
            part = affine_var(conversion->arena, conversion->set_var);
        } else {
            part = affine_var(conversion->arena, conversion->param_var[k]);
        }
        sum = affine_add(conversion->arena, sum, scaled(conversion->arena, part, factor));
    }
    return sum;
}

/* floor(aff); a constraint's aff has denominator 1. */
static const struct affine *aff_value(struct conversion *conversion, __isl_keep isl_aff *aff)
{
    isl_val *denominator = isl_aff_get_denominator_val(aff);
    isl_val *constant = isl_val_mul(isl_aff_get_constant_val(aff), isl_val_copy(denominator));
    const struct affine *sum = number(conversion->arena, constant);
    int64_t divisor = 0;

    sum = add_terms(conversion, sum, aff, isl_dim_param, denominator);
    sum = add_terms(conversion, sum, aff, isl_dim_in, denominator);
    sum = add_terms(conversion, sum, aff, isl_dim_div, denominator);
    affine_is_constant(number(conversion->arena, denominator), &divisor);
    return affine_floor(conversion->arena, sum, divisor);
}

static int first_id(const struct affine *affine)
{
    const bool has_var = affine->n_term && affine->term[0].atom->kind == ATOM_VAR;

    return has_var ? affine->term[0].atom->var->id : -1;
}

/* Bounds before equations, those of one parameter before relations, by the first parameter. */
static bool comes_before(const struct condition *a, const struct condition *b)
{
    if (a->equal != b->equal)
        return b->equal;
    if (a->affine->n_term != b->affine->n_term)
        return a->affine->n_term < b->affine->n_term;
    return first_id(a->affine) < first_id(b->affine);
}

static void insert_condition(struct conversion *conversion, struct condition condition)
{
    VEC_PUSH(conversion->arena, &conversion->conditions, condition);
    struct condition *at = conversion->conditions.at;
    int k = conversion->conditions.n - 1;

    for (; k > 0 && comes_before(&condition, &at[k - 1]); k--)
        at[k] = at[k - 1];
    at[k] = condition;
}

static isl_stat add_condition(__isl_take isl_constraint *constraint, void *user)
{
    struct conversion *conversion = user;
    isl_aff *aff = isl_constraint_get_aff(constraint);
    const struct affine *affine = aff_value(conversion, aff);
    const bool equal = isl_constraint_is_equality(constraint) == isl_bool_true;
    const bool is_div = isl_constraint_is_div_constraint(constraint) == isl_bool_true;

    isl_aff_free(aff);
    isl_constraint_free(constraint);
    if (!affine)
        return isl_stat_error;
    if (!is_div)
        insert_condition(conversion, (struct condition){affine, equal});
    return isl_stat_ok;
}

static isl_stat add_alternative(__isl_take isl_basic_set *basic, void *user)
{
    struct conversion *conversion = user;

    conversion->conditions.at = NULL;
    conversion->conditions.n = conversion->conditions.capacity = 0;
    const isl_stat result = isl_basic_set_foreach_constraint(basic, add_condition, conversion);
    VEC_PUSH(conversion->arena, &conversion->guards,
             ((struct guard){conversion->conditions.at, conversion->conditions.n}));
    isl_basic_set_free(basic);
    return result;
}

const struct guard *lower_alternatives(struct arena *arena, __isl_take isl_set *set, const struct var *const *param_var,
                                       const struct var *set_var, int *n)
{
    struct conversion conversion = {.arena = arena, .param_var = param_var, .set_var = set_var};
    isl_stat result;

    set = isl_set_remove_redundancies(isl_set_compute_divs(poly_set_coalesce(set)));
    result = isl_set_foreach_basic_set(set, add_alternative, &conversion);
    isl_set_free(set);
    *n = conversion.guards.n;
    if (result == isl_stat_ok && *n == 0)
        return ARENA_NEW(arena, struct guard);
    return result == isl_stat_ok ? conversion.guards.at : NULL;
}

const struct guard *lower_preconditions(struct arena *arena, const struct program *program,
                                        const struct var *const *param_var, int *n)
{
    return lower_alternatives(arena, isl_set_copy(program->context), param_var, NULL, n);
}

/* The bound of each parameter that is found in program->context; unknown where there is none. */
static const int64_t *param_bounds(struct arena *arena, const struct program *program,
                                   isl_val *(*find)(isl_set *, isl_aff *), int64_t unknown)
{
    int64_t *bound = ARENA_ARRAY(arena, program->n_param, int64_t);

    for (int k = 0; k < program->n_param; k++) {
        isl_local_space *space = isl_local_space_from_space(isl_set_get_space(program->context));
        isl_aff *param = isl_aff_var_on_domain(space, isl_dim_param, (unsigned)k);

        if (!poly_number(find(program->context, param), &bound[k]))
            bound[k] = unknown;
        isl_aff_free(param);
    }
    return bound;
}

const int64_t *lower_param_least(struct arena *arena, const struct program *program)
{
    return param_bounds(arena, program, isl_set_min_val, INT64_MIN);
}

const int64_t *lower_param_most(struct arena *arena, const struct program *program)
{
    return param_bounds(arena, program, isl_set_max_val, INT64_MAX);
}
