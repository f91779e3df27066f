#include "lower/facts/over.h"

#include "poly/union.h"

#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>

#include <stdio.h>

/* The dimension of var: a parameter's own name, else one that no parameter has. */
static const char *dimension_name(const struct var *var, char *buffer, size_t size)
{
    if (var->kind == VAR_PARAM)
        return var->name;
    snprintf(buffer, size, "#%d", var->id);
    return buffer;
}

int over_dimension(__isl_keep isl_space *space, const struct var *var)
{
    char buffer[16];

    return isl_space_find_dim_by_name(space, isl_dim_param, dimension_name(var, buffer, sizeof(buffer)));
}

__isl_give isl_set *over_with_dimension(__isl_take isl_set *set, const struct var *var)
{
    char buffer[16];
    const char *name = dimension_name(var, buffer, sizeof(buffer));
    const unsigned n = (unsigned)isl_set_dim(set, isl_dim_param);

    return isl_set_set_dim_name(isl_set_add_dims(set, isl_dim_param, 1), isl_dim_param, n, name);
}

static __isl_give isl_aff *aff_over(__isl_keep isl_set *known, const struct affine *a);

static __isl_give isl_aff *constant_over(__isl_keep isl_set *known, int64_t value)
{
    isl_aff *zero = isl_aff_zero_on_domain(isl_local_space_from_space(isl_set_get_space(known)));

    return isl_aff_add_constant_val(zero, isl_val_int_from_si(isl_set_get_ctx(known), value));
}

/* sum + factor * atom */
static __isl_give isl_aff *add_term(__isl_take isl_aff *sum, __isl_keep isl_set *known, const struct affine_term *term)
{
    isl_val *factor = isl_val_int_from_si(isl_aff_get_ctx(sum), term->factor);
    isl_aff *quotient;
    isl_space *space;

    if (term->atom->kind == ATOM_VAR) {
        space = isl_set_get_space(known);
        sum = isl_aff_add_coefficient_val(sum, isl_dim_param, over_dimension(space, term->atom->var), factor);
        isl_space_free(space);
        return sum;
    }
    quotient = aff_over(known, term->atom->arg[0]);
    quotient = isl_aff_scale_down_val(quotient, isl_val_int_from_si(isl_aff_get_ctx(sum), term->atom->divisor));
    return isl_aff_add(sum, isl_aff_scale_val(isl_aff_floor(quotient), factor));
}

/* The value of a that has no minimum or maximum. */
static __isl_give isl_aff *aff_over(__isl_keep isl_set *known, const struct affine *a)
{
    isl_aff *sum = constant_over(known, a->constant);

    for (int k = 0; k < a->n_term; k++)
        sum = add_term(sum, known, &a->term[k]);
    return sum;
}

/* Is there a minimum or maximum anywhere in a? */
static bool has_pieces(const struct affine *a)
{
    for (int k = 0; k < a->n_term; k++) {
        const struct atom *atom = a->term[k].atom;
        if (atom->kind == ATOM_MIN || atom->kind == ATOM_MAX || (atom->kind == ATOM_FLOOR && has_pieces(atom->arg[0])))
            return true;
    }
    return false;
}

static __isl_give isl_pw_aff *atom_pw_aff(__isl_keep isl_set *known, const struct atom *atom)
{
    isl_pw_aff *result, *next;

    if (atom->kind == ATOM_VAR) {
        const struct affine_term term = {1, atom};
        const struct affine var = {0, 1, &term};
        return over_pw_aff(known, &var);
    }
    result = over_pw_aff(known, atom->arg[0]);
    if (atom->kind == ATOM_FLOOR)
        return isl_pw_aff_floor(
            isl_pw_aff_scale_down_val(result, isl_val_int_from_si(isl_set_get_ctx(known), atom->divisor)));
    for (int k = 1; k < atom->n_arg; k++) {
        next = over_pw_aff(known, atom->arg[k]);
        result = atom->kind == ATOM_MIN ? isl_pw_aff_min(result, next) : isl_pw_aff_max(result, next);
    }
    return result;
}

__isl_give isl_pw_aff *over_pw_aff(__isl_keep isl_set *known, const struct affine *a)
{
    isl_pw_aff *sum;

    if (!has_pieces(a))
        return isl_pw_aff_from_aff(aff_over(known, a));
    sum = isl_pw_aff_from_aff(constant_over(known, a->constant));
    for (int k = 0; k < a->n_term; k++) {
        isl_pw_aff *term = atom_pw_aff(known, a->term[k].atom);
        term = isl_pw_aff_scale_val(term, isl_val_int_from_si(isl_set_get_ctx(known), a->term[k].factor));
        sum = isl_pw_aff_add(sum, term);
    }
    return sum;
}

struct narrowing {
    isl_basic_set *to;
    isl_basic_set_list *pieces;
};

static isl_stat narrow_piece(__isl_take isl_basic_set *piece, void *user)
{
    struct narrowing *narrowing = user;

    piece = isl_basic_set_intersect_params(isl_basic_set_copy(narrowing->to), piece);
    narrowing->pieces = isl_basic_set_list_add(narrowing->pieces, piece);
    return narrowing->pieces ? isl_stat_ok : isl_stat_error;
}

/* to where a parameter is in known, without isl's search for a point in each of the pieces and for equal pieces. */
static __isl_give isl_set *narrowed(__isl_take isl_basic_set *to, __isl_take isl_set *known)
{
    struct narrowing narrowing = {to, isl_basic_set_list_alloc(isl_set_get_ctx(known), 1)};
    const bool empty = isl_set_n_basic_set(known) == 0;
    isl_set *result = empty ? isl_set_empty(isl_basic_set_get_space(to)) : NULL;

    if (isl_set_foreach_basic_set(known, narrow_piece, &narrowing) == isl_stat_ok && !empty)
        result = poly_union(isl_basic_set_list_copy(narrowing.pieces));
    isl_basic_set_list_free(narrowing.pieces);
    isl_set_free(known);
    isl_basic_set_free(to);
    return result;
}

/* Where a condition without minima and maxima holds. */
static __isl_give isl_basic_set *basic_where(__isl_keep isl_set *known, const struct condition *condition)
{
    isl_aff *aff = aff_over(known, condition->affine);

    if (condition->equal)
        return isl_aff_zero_basic_set(aff);
    return isl_aff_neg_basic_set(isl_aff_add_constant_si(isl_aff_neg(aff), -1));
}

static __isl_give isl_set *where_in_pieces(__isl_take isl_set *known, const struct condition *condition)
{
    isl_pw_aff *value = over_pw_aff(known, condition->affine);

    return isl_set_intersect(known, condition->equal ? isl_pw_aff_zero_set(value) : isl_pw_aff_nonneg_set(value));
}

__isl_give isl_set *over_where(__isl_take isl_set *known, const struct condition *condition)
{
    if (has_pieces(condition->affine))
        return where_in_pieces(known, condition);
    return narrowed(basic_where(known, condition), known);
}

/* The conditions meet each other first: each is a small set, known is not. */
__isl_give isl_set *over_where_all(__isl_take isl_set *known, const struct condition *const *condition, int n)
{
    isl_basic_set *all = NULL;
    int n_plain = 0;

    for (int k = 0; k < n; k++)
        if (!has_pieces(condition[k]->affine)) {
            isl_basic_set *one = basic_where(known, condition[k]);
            all = n_plain++ > 0 ? isl_basic_set_intersect(all, one) : one;
        }
    known = n_plain > 0 ? narrowed(all, known) : known;
    for (int k = 0; k < n; k++)
        if (has_pieces(condition[k]->affine))
            known = where_in_pieces(known, condition[k]);
    return known;
}

__isl_give isl_set *over_guards(__isl_keep isl_set *known, const struct guard *alternative, int n)
{
    isl_set *any = NULL;

    for (int k = 0; k < n; k++) {
        isl_set *one = isl_set_copy(known);
        for (int c = 0; c < alternative[k].n; c++)
            one = over_where(one, &alternative[k].condition[c]);
        any = k > 0 ? isl_set_union(any, one) : one;
    }
    return any;
}

/* { [a0, .., an-1] } where none of them has a minimum or maximum. */
static __isl_give isl_basic_set *plain_tuple(__isl_keep isl_set *known, __isl_take isl_space *space,
                                             const struct affine *const *a, int n)
{
    isl_aff_list *list = isl_aff_list_alloc(isl_space_get_ctx(space), n);

    for (int k = 0; k < n; k++)
        list = isl_aff_list_add(list, aff_over(known, a[k]));
    return isl_basic_set_from_multi_aff(isl_multi_aff_from_aff_list(space, list));
}

static __isl_give isl_set *tuple_in_pieces(__isl_keep isl_set *known, __isl_take isl_space *space,
                                           const struct affine *const *a, int n)
{
    isl_pw_aff_list *list = isl_pw_aff_list_alloc(isl_space_get_ctx(space), n);

    for (int k = 0; k < n; k++)
        list = isl_pw_aff_list_add(list, over_pw_aff(known, a[k]));
    return isl_set_from_multi_pw_aff(isl_multi_pw_aff_from_pw_aff_list(space, list));
}

__isl_give isl_set *over_values(__isl_take isl_set *known, const struct affine *const *a, int n)
{
    isl_space *space = isl_space_set_from_params(isl_set_get_space(known));
    bool pieces = false;

    space = isl_space_add_dims(space, isl_dim_set, (unsigned)n);
    for (int k = 0; k < n; k++)
        pieces = pieces || has_pieces(a[k]);
    if (!pieces)
        return narrowed(plain_tuple(known, space, a, n), known);
    return isl_set_intersect_params(tuple_in_pieces(known, space, a, n), known);
}
