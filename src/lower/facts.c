#include "lower/facts.h"

#include "lower/bound.h"

#include <isl/local_space.h>
#include <isl/point.h>
#include <isl/space.h>
#include <isl/val.h>

#include <stdio.h>
#include <string.h>

struct facts facts_of_program(struct lowering *lowering)
{
    return (struct facts){lowering, isl_set_copy(lowering->program->context), NULL};
}

struct facts facts_copy(const struct facts *facts)
{
    return (struct facts){facts->lowering, isl_set_copy(facts->known), facts->bound};
}

void facts_free(struct facts *facts)
{
    facts->known = isl_set_free(facts->known);
}

/* The dimension of var: a parameter's own name, else one that no parameter has. */
static const char *dimension_name(const struct var *var, char *buffer, size_t size)
{
    if (var->kind == VAR_PARAM)
        return var->name;
    snprintf(buffer, size, "#%d", var->id);
    return buffer;
}

int facts_dimension(__isl_keep isl_space *space, const struct var *var)
{
    char buffer[16];

    return isl_space_find_dim_by_name(space, isl_dim_param, dimension_name(var, buffer, sizeof(buffer)));
}

static void add_dimension(struct facts *facts, const struct var *var)
{
    char buffer[16];
    const char *name = dimension_name(var, buffer, sizeof(buffer));
    const unsigned n = (unsigned)isl_set_dim(facts->known, isl_dim_param);
    struct bound_var *bound = ARENA_NEW(facts->lowering->arena, struct bound_var);

    *bound = (struct bound_var){var, facts->bound};
    facts->bound = bound;
    facts->known = isl_set_add_dims(facts->known, isl_dim_param, 1);
    facts->known = isl_set_set_dim_name(facts->known, isl_dim_param, n, name);
}

static __isl_give isl_pw_aff *atom_pw_aff(const struct facts *facts, const struct atom *atom)
{
    isl_ctx *ctx = facts->lowering->program->ctx;
    isl_pw_aff *result, *next;

    if (atom->kind == ATOM_VAR) {
        isl_space *space = isl_set_get_space(facts->known);
        const int at = facts_dimension(space, atom->var);
        isl_local_space *local = isl_local_space_from_space(space);
        return isl_pw_aff_from_aff(isl_aff_var_on_domain(local, isl_dim_param, (unsigned)at));
    }
    result = facts_pw_aff(facts, atom->arg[0]);
    if (atom->kind == ATOM_FLOOR)
        return isl_pw_aff_floor(isl_pw_aff_scale_down_val(result, isl_val_int_from_si(ctx, atom->divisor)));
    for (int k = 1; k < atom->n_arg; k++) {
        next = facts_pw_aff(facts, atom->arg[k]);
        result = atom->kind == ATOM_MIN ? isl_pw_aff_min(result, next) : isl_pw_aff_max(result, next);
    }
    return result;
}

__isl_give isl_pw_aff *facts_pw_aff(const struct facts *facts, const struct affine *a)
{
    isl_ctx *ctx = facts->lowering->program->ctx;
    isl_local_space *local = isl_local_space_from_space(isl_set_get_space(facts->known));
    isl_aff *zero = isl_aff_zero_on_domain(local);
    isl_pw_aff *sum =
        isl_pw_aff_from_aff(isl_aff_add_constant_val(zero, isl_val_int_from_si(ctx, a->constant)));

    for (int k = 0; k < a->n_term; k++) {
        isl_pw_aff *term = atom_pw_aff(facts, a->term[k].atom);
        term = isl_pw_aff_scale_val(term, isl_val_int_from_si(ctx, a->term[k].factor));
        sum = isl_pw_aff_add(sum, term);
    }
    return sum;
}

static __isl_give isl_set *condition_set(const struct facts *facts, const struct condition *condition)
{
    isl_pw_aff *value = facts_pw_aff(facts, condition->affine);

    return condition->equal ? isl_pw_aff_zero_set(value) : isl_pw_aff_nonneg_set(value);
}

void facts_assume_condition(struct facts *facts, const struct condition *condition)
{
    facts->known = isl_set_intersect(facts->known, condition_set(facts, condition));
}

const struct affine_term *facts_splitting_term(const struct affine *a)
{
    for (int k = 0; k < a->n_term; k++)
        if (a->term[k].atom->kind == (a->term[k].factor > 0 ? ATOM_MIN : ATOM_MAX))
            return &a->term[k];
    return NULL;
}

const struct affine *facts_with_argument(struct arena *arena, const struct affine *a,
                                         const struct affine_term *term, int k)
{
    const struct atom *atom = term->atom;
    const struct affine *whole = affine_extreme(arena, atom->kind, atom->arg, atom->n_arg);

    whole = affine_sub(arena, atom->arg[k], whole);
    return affine_add(arena, a, affine_scale(arena, whole, term->factor));
}

void facts_assume(struct facts *facts, const struct affine *a)
{
    const struct condition condition = {a, false};
    const struct affine_term *term = a ? facts_splitting_term(a) : NULL;

    if (!term)
        facts_assume_condition(facts, &condition);
    for (int k = 0; term && k < term->atom->n_arg; k++)
        facts_assume(facts, facts_with_argument(facts->lowering->arena, a, term, k));
}

void facts_assume_zero(struct facts *facts, const struct affine *a)
{
    const struct condition condition = {a, true};

    facts_assume_condition(facts, &condition);
}

/* Where any of the alternatives holds; NULL when there are none. */
static __isl_give isl_set *guards_set(const struct facts *facts, const struct guard *alternative, int n)
{
    isl_set *any = NULL;

    for (int k = 0; k < n; k++) {
        struct facts one = facts_copy(facts);
        for (int c = 0; c < alternative[k].n; c++)
            facts_assume_condition(&one, &alternative[k].condition[c]);
        any = any ? isl_set_union(any, one.known) : one.known;
    }
    return any;
}

void facts_assume_guards(struct facts *facts, const struct guard *alternative, int n)
{
    isl_set *any = guards_set(facts, alternative, n);

    if (any) {
        isl_set_free(facts->known);
        facts->known = any;
    }
}

void facts_enter_branch(struct facts *facts, const struct node *node, int k)
{
    if (k == 0)
        facts_assume_guards(facts, node->alternative, node->n_alternative);
    else
        facts->known =
            isl_set_subtract(facts->known, guards_set(facts, node->alternative, node->n_alternative));
}

void facts_enter_loop(struct facts *facts, const struct node *loop)
{
    struct arena *arena = facts->lowering->arena;
    const int64_t size = loop->step < 0 ? -loop->step : loop->step;
    const struct affine *var = affine_var(arena, loop->var);
    const struct affine *past = affine_sub(arena, var, loop->lower), *left = affine_sub(arena, loop->upper, var);

    add_dimension(facts, loop->var);
    facts_assume(facts, loop->step < 0 ? affine_scale(arena, past, -1) : past);
    facts_assume(facts, loop->step < 0 ? affine_scale(arena, left, -1) : left);
    if (size > 1)
        facts_assume_zero(facts, affine_mod(arena, past, size));
}

/* Is one of its terms a minimum or maximum? The bounds it implies are then enough to know; saying that it equals
 * one of its arguments would double the set. */
static bool has_extreme(const struct affine *a)
{
    for (int k = 0; k < a->n_term; k++)
        if (a->term[k].atom->kind == ATOM_MIN || a->term[k].atom->kind == ATOM_MAX)
            return true;
    return false;
}

void facts_enter_value(struct facts *facts, const struct node *value)
{
    struct arena *arena = facts->lowering->arena;

    const struct affine *difference = affine_sub(arena, value->lower, affine_var(arena, value->var));

    add_dimension(facts, value->var);
    if (!has_extreme(value->lower))
        facts_assume_zero(facts, difference);
    else
        facts_assume(facts, facts_splitting_term(difference) ? difference : affine_scale(arena, difference, -1));
}

void facts_enter(struct facts *facts, const struct node *node, int k)
{
    if (node->kind == NODE_LOOP)
        facts_enter_loop(facts, node);
    else if (node->kind == NODE_VALUE)
        facts_enter_value(facts, node);
    else if (node->kind == NODE_IF)
        facts_enter_branch(facts, node, k);
}

bool facts_allow_condition(const struct facts *facts, const struct condition *condition)
{
    isl_set *both = isl_set_intersect(isl_set_copy(facts->known), condition_set(facts, condition));
    const isl_bool empty = isl_set_is_empty(both);

    isl_set_free(both);
    return empty != isl_bool_true;
}

bool facts_imply(const struct facts *facts, const struct affine *a)
{
    struct arena *arena = facts->lowering->arena;
    int64_t constant;
    struct condition otherwise = {NULL, false};

    if (affine_is_constant(a, &constant))
        return constant >= 0;
    otherwise.affine = affine_add_constant(arena, affine_scale(arena, a, -1), -1);
    return otherwise.affine && !facts_allow_condition(facts, &otherwise);
}

bool facts_imply_condition(const struct facts *facts, const struct condition *condition)
{
    if (!facts_imply(facts, condition->affine))
        return false;
    return !condition->equal || facts_imply(facts, affine_scale(facts->lowering->arena, condition->affine, -1));
}

bool facts_imply_guards(const struct facts *facts, const struct guard *alternative, int n)
{
    isl_set *any = guards_set(facts, alternative, n);
    const bool implied = any && isl_set_is_subset(facts->known, any) == isl_bool_true;

    isl_set_free(any);
    return implied;
}

bool facts_exclude(const struct facts *facts, const struct node *a, const struct node *b)
{
    isl_set *first = guards_set(facts, a->alternative, a->n_alternative);
    isl_set *second = guards_set(facts, b->alternative, b->n_alternative);
    const bool exclude = isl_set_is_disjoint(first, second) == isl_bool_true;

    isl_set_free(first);
    isl_set_free(second);
    return exclude;
}

bool facts_possible(const struct facts *facts)
{
    return isl_set_is_empty(facts->known) != isl_bool_true;
}

__isl_give isl_set *facts_values(const struct facts *facts, const struct affine *a)
{
    isl_set *values = isl_set_from_pw_aff(facts_pw_aff(facts, a));

    return isl_set_intersect_params(values, isl_set_copy(facts->known));
}

bool facts_constant(const struct facts *facts, const struct affine *a, int64_t *value)
{
    isl_set *values;
    isl_val *only;
    bool constant;

    if (affine_is_constant(a, value))
        return true;
    values = facts_values(facts, a);
    values = isl_set_project_out(values, isl_dim_param, 0, (unsigned)isl_set_dim(values, isl_dim_param));
    constant = isl_set_is_singleton(values) == isl_bool_true;
    if (constant) {
        isl_point *point = isl_set_sample_point(isl_set_copy(values));
        only = isl_point_get_coordinate_val(point, isl_dim_set, 0);
        *value = isl_val_get_num_si(only);
        isl_val_free(only);
        isl_point_free(point);
    }
    isl_set_free(values);
    return constant;
}

/* Is argument k of a minimum (sign 1) or maximum (sign -1) never the only one that decides? Of equal ones the
 * last stays. */
static bool redundant(const struct facts *facts, const struct affine **arg, int n, int k, int sign)
{
    struct arena *arena = facts->lowering->arena;

    for (int other = 0; other < n; other++) {
        const struct affine *difference;
        if (other == k || !arg[other])
            continue;
        difference = affine_scale(arena, affine_sub(arena, arg[k], arg[other]), sign);
        if (facts_imply(facts, difference))
            return true;
    }
    return false;
}

static bool of_params(const struct affine *a)
{
    for (int k = 0; k < a->n_term; k++)
        if (a->term[k].atom->kind != ATOM_VAR || a->term[k].atom->var->kind != VAR_PARAM)
            return false;
    return true;
}

/* a with floor, its term m * d * floor(e / d), by the loop variable of another term: where e - f * v is c modulo d,
 * e - d * floor(e / d) is f * v + c - d * floor((f * v + c) / d). f is such that v then goes. NULL: it is none. */
static const struct affine *in_terms_of(const struct facts *facts, const struct affine *a,
                                        const struct affine_term *floor, const struct affine_term *term)
{
    struct arena *arena = facts->lowering->arena;
    const int64_t divisor = floor->atom->divisor, m = floor->factor == divisor ? 1 : -1, f = m * term->factor;
    const struct affine *operand = floor->atom->arg[0], *same, *whole;
    int64_t c;

    if (floor->factor != m * divisor || (f != 1 && f != -1))
        return NULL;
    same = affine_scale(arena, affine_var(arena, term->atom->var), f);
    whole = affine_mod(arena, affine_sub(arena, operand, same), divisor);
    if (!whole || !facts_constant(facts, whole, &c))
        return NULL;
    same = affine_add_constant(arena, same, c);
    whole = affine_sub(arena, affine_mod(arena, operand, divisor), affine_mod(arena, same, divisor));
    return affine_add(arena, a, affine_scale(arena, whole, m));
}

/* a with divisions of loop variables for those of parameters where that is shorter: i - (N - 1) % 4 is 4 * (i / 4) in
 * a loop that starts at N - 1 and goes down by 4. */
static const struct affine *divide_loops(const struct facts *facts, const struct affine *a)
{
    for (int k = 0; k < a->n_term; k++)
        for (int v = 0; v < a->n_term && a->term[k].atom->kind == ATOM_FLOOR; v++) {
            const struct atom *atom = a->term[v].atom;
            const struct affine *other = NULL;
            if (atom->kind == ATOM_VAR && atom->var->kind == VAR_LOOP && of_params(a->term[k].atom->arg[0]))
                other = in_terms_of(facts, a, &a->term[k], &a->term[v]);
            if (other && other->n_term < a->n_term)
                return other;
        }
    return a;
}

const struct affine *facts_refine_bound(const struct facts *facts, const struct affine *bound)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *const *arg;
    const struct affine **left;
    enum atom_kind kind;
    const int n = bound_args(arena, bound, &arg, &kind);
    int kept = 0;

    if (kind == ATOM_VAR)
        return divide_loops(facts, bound);
    left = ARENA_ARRAY(arena, n, const struct affine *);
    for (int k = 0; k < n; k++)
        left[k] = facts_refine_bound(facts, arg[k]);
    for (int k = 0; k < n; k++)
        if (redundant(facts, left, n, k, kind == ATOM_MIN ? 1 : -1))
            left[k] = NULL;
    for (int k = 0; k < n; k++)
        if (left[k])
            left[kept++] = left[k];
    return affine_extreme(arena, kind, left, kept);
}
