#include "lower/facts.h"

#include "lower/bound.h"
#include "poly/keep.h"

#include <isl/ilp.h>
#include <isl/local_space.h>
#include <isl/point.h>
#include <isl/space.h>
#include <isl/val.h>

#include <stdio.h>
#include <string.h>

enum known_kind { KNOWN_CONTEXT, KNOWN_DIMENSION, KNOWN_CONDITION, KNOWN_ANY, KNOWN_NONE };

/* One assumption after others. */
struct known {
    enum known_kind kind;
    struct known *outer;
    const struct var *var;           /* DIMENSION: it has any value */
    struct condition condition;      /* CONDITION */
    const struct guard *alternative; /* ANY: one of n holds; NONE: none does */
    int n;
    isl_set *set; /* all of it; NULL until it is asked for; kept by the arena */
};

static void know(struct facts *facts, struct known next)
{
    struct known *known = ARENA_NEW(facts->lowering->arena, struct known);

    *known = next;
    known->outer = facts->known;
    facts->known = known;
}

static struct span span_of_param(__isl_keep isl_set *context, const struct var *var)
{
    const int at = isl_set_find_dim_by_name(context, isl_dim_param, var->name);
    isl_set *values = isl_set_project_out(isl_set_copy(context), isl_dim_param, 0, (unsigned)at);
    isl_val *least;
    struct span span = span_any();

    values = isl_set_project_out(values, isl_dim_param, 1, (unsigned)isl_set_dim(values, isl_dim_param) - 1);
    values = isl_set_move_dims(isl_set_from_params(values), isl_dim_set, 0, isl_dim_param, 0, 1);
    least = isl_set_dim_min_val(values, 0);
    if (isl_val_is_int(least) == isl_bool_true)
        span.low = isl_val_get_num_si(least);
    isl_val_free(least);
    return span;
}

static void bind(struct facts *facts, const struct var *var, struct span span)
{
    struct bound_var *bound = ARENA_NEW(facts->lowering->arena, struct bound_var);

    *bound = (struct bound_var){var, span, facts->bound};
    facts->bound = bound;
}

static void add_param(struct facts *facts, const struct var *var)
{
    bind(facts, var, span_of_param(facts->lowering->program->context, var));
}

struct facts facts_of_program(struct lowering *lowering)
{
    const struct program *program = lowering->program;
    struct facts facts = {.lowering = lowering};

    if (lowering->facts)
        return *lowering->facts;
    know(&facts, (struct known){.kind = KNOWN_CONTEXT, .set = program->context});
    for (int k = 0; k < program->n_param; k++)
        add_param(&facts, lowering->param_var[k]);
    facts.witnesses = witnesses_of_params(lowering->arena, program->context, lowering->param_var, program->n_param);
    lowering->facts = ARENA_NEW(lowering->arena, struct facts);
    *lowering->facts = facts;
    return facts;
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

static void add_dimension(struct facts *facts, const struct var *var, struct span span)
{
    bind(facts, var, span);
    know(facts, (struct known){.kind = KNOWN_DIMENSION, .var = var});
}

static __isl_give isl_set *with_dimension(__isl_take isl_set *set, const struct var *var)
{
    char buffer[16];
    const char *name = dimension_name(var, buffer, sizeof(buffer));
    const unsigned n = (unsigned)isl_set_dim(set, isl_dim_param);

    return isl_set_set_dim_name(isl_set_add_dims(set, isl_dim_param, 1), isl_dim_param, n, name);
}

static __isl_give isl_pw_aff *pw_aff_over(__isl_keep isl_set *known, const struct affine *a);

static __isl_give isl_pw_aff *atom_pw_aff(__isl_keep isl_set *known, const struct atom *atom)
{
    isl_ctx *ctx = isl_set_get_ctx(known);
    isl_pw_aff *result, *next;

    if (atom->kind == ATOM_VAR) {
        isl_space *space = isl_set_get_space(known);
        const int at = facts_dimension(space, atom->var);
        isl_local_space *local = isl_local_space_from_space(space);
        return isl_pw_aff_from_aff(isl_aff_var_on_domain(local, isl_dim_param, (unsigned)at));
    }
    result = pw_aff_over(known, atom->arg[0]);
    if (atom->kind == ATOM_FLOOR)
        return isl_pw_aff_floor(isl_pw_aff_scale_down_val(result, isl_val_int_from_si(ctx, atom->divisor)));
    for (int k = 1; k < atom->n_arg; k++) {
        next = pw_aff_over(known, atom->arg[k]);
        result = atom->kind == ATOM_MIN ? isl_pw_aff_min(result, next) : isl_pw_aff_max(result, next);
    }
    return result;
}

static __isl_give isl_pw_aff *pw_aff_over(__isl_keep isl_set *known, const struct affine *a)
{
    isl_ctx *ctx = isl_set_get_ctx(known);
    isl_local_space *local = isl_local_space_from_space(isl_set_get_space(known));
    isl_aff *zero = isl_aff_zero_on_domain(local);
    isl_pw_aff *sum =
        isl_pw_aff_from_aff(isl_aff_add_constant_val(zero, isl_val_int_from_si(ctx, a->constant)));

    for (int k = 0; k < a->n_term; k++) {
        isl_pw_aff *term = atom_pw_aff(known, a->term[k].atom);
        term = isl_pw_aff_scale_val(term, isl_val_int_from_si(ctx, a->term[k].factor));
        sum = isl_pw_aff_add(sum, term);
    }
    return sum;
}

static __isl_give isl_set *condition_set(__isl_keep isl_set *known, const struct condition *condition)
{
    isl_pw_aff *value = pw_aff_over(known, condition->affine);

    return condition->equal ? isl_pw_aff_zero_set(value) : isl_pw_aff_nonneg_set(value);
}

/* known where any of the alternatives holds; NULL when there are none. */
static __isl_give isl_set *guards_set(__isl_keep isl_set *known, const struct guard *alternative, int n)
{
    isl_set *any = NULL;

    for (int k = 0; k < n; k++) {
        isl_set *one = isl_set_copy(known);
        for (int c = 0; c < alternative[k].n; c++)
            one = isl_set_intersect(one, condition_set(known, &alternative[k].condition[c]));
        any = any ? isl_set_union(any, one) : one;
    }
    return any;
}

/* before with what known adds to it. */
static __isl_give isl_set *extended(const struct known *known, __isl_keep isl_set *before)
{
    switch (known->kind) {
    case KNOWN_DIMENSION:
        return with_dimension(isl_set_copy(before), known->var);
    case KNOWN_CONDITION:
        return isl_set_intersect(isl_set_copy(before), condition_set(before, &known->condition));
    case KNOWN_ANY:
        return guards_set(before, known->alternative, known->n);
    default:
        return isl_set_subtract(isl_set_copy(before), guards_set(before, known->alternative, known->n));
    }
}

static __isl_keep isl_set *known_set(struct arena *arena, struct known *known)
{
    if (!known->set)
        known->set = poly_keep_set(arena, extended(known, known_set(arena, known->outer)));
    return known->set;
}

__isl_keep isl_set *facts_known(const struct facts *facts)
{
    return known_set(facts->lowering->arena, facts->known);
}

__isl_give isl_pw_aff *facts_pw_aff(const struct facts *facts, const struct affine *a)
{
    return pw_aff_over(facts_known(facts), a);
}

void facts_assume_condition(struct facts *facts, const struct condition *condition)
{
    know(facts, (struct known){.kind = KNOWN_CONDITION, .condition = *condition});
    facts->witnesses = witnesses_where(facts->lowering->arena, facts->witnesses, condition);
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

static void assume_branch(struct facts *facts, const struct guard *alternative, int n, bool holds)
{
    know(facts, (struct known){.kind = holds ? KNOWN_ANY : KNOWN_NONE, .alternative = alternative, .n = n});
    facts->witnesses = witnesses_in_branch(facts->lowering->arena, facts->witnesses, alternative, n, holds);
}

void facts_assume_guards(struct facts *facts, const struct guard *alternative, int n)
{
    if (n > 0)
        assume_branch(facts, alternative, n, true);
}

void facts_enter_branch(struct facts *facts, const struct node *node, int k)
{
    if (k == 0)
        facts_assume_guards(facts, node->alternative, node->n_alternative);
    else
        assume_branch(facts, node->alternative, node->n_alternative, false);
}

void facts_enter_loop(struct facts *facts, const struct node *loop)
{
    struct arena *arena = facts->lowering->arena;
    const int64_t size = loop->step < 0 ? -loop->step : loop->step;
    const struct affine *var = affine_var(arena, loop->var);
    const struct affine *past = affine_sub(arena, var, loop->lower), *left = affine_sub(arena, loop->upper, var);
    const struct witnesses inside = witnesses_in_loop(arena, facts->witnesses, loop);

    add_dimension(facts, loop->var, span_of_loop(arena, facts->bound, loop->lower, loop->upper, loop->step));
    facts_assume(facts, loop->step < 0 ? affine_scale(arena, past, -1) : past);
    facts_assume(facts, loop->step < 0 ? affine_scale(arena, left, -1) : left);
    if (size > 1)
        facts_assume_zero(facts, affine_mod(arena, past, size));
    facts->witnesses = inside;
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
    const struct witnesses inside = witnesses_with_value(arena, facts->witnesses, value);

    add_dimension(facts, value->var, span_of(arena, facts->bound, value->lower));
    if (!has_extreme(value->lower))
        facts_assume_zero(facts, difference);
    else
        facts_assume(facts, facts_splitting_term(difference) ? difference : affine_scale(arena, difference, -1));
    facts->witnesses = inside;
}

void facts_enter(struct facts *facts, const struct node *node, int k)
{
    if (node->kind == NODE_LOOP)
        facts_enter_loop(facts, node);
    else if (node->kind == NODE_VALUE)
        facts_enter_value(facts, node);
    else if (node->kind == NODE_IF)
        facts_enter_branch(facts, node, k);
    else if (node->kind == NODE_SWITCH)
        facts_assume_zero(facts, affine_add_constant(facts->lowering->arena, node->lower, -node->label[k]));
}

/* Is there a witness where condition holds? */
static bool has_witness(const struct facts *facts, const struct condition *condition)
{
    for (int k = 0; k < facts->witnesses.n; k++)
        if (witness_holds(facts->witnesses.at[k], condition))
            return true;
    return false;
}

bool facts_allow_condition(const struct facts *facts, const struct condition *condition)
{
    isl_set *known, *both;
    isl_bool empty;

    if (has_witness(facts, condition))
        return true;
    known = facts_known(facts);
    both = isl_set_intersect(isl_set_copy(known), condition_set(known, condition));
    empty = isl_set_is_empty(both);
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
    if (!otherwise.affine || has_witness(facts, &otherwise))
        return false;
    return span_of(arena, facts->bound, a).low >= 0 || !facts_allow_condition(facts, &otherwise);
}

bool facts_imply_condition(const struct facts *facts, const struct condition *condition)
{
    if (!facts_imply(facts, condition->affine))
        return false;
    return !condition->equal || facts_imply(facts, affine_scale(facts->lowering->arena, condition->affine, -1));
}

bool facts_imply_guards(const struct facts *facts, const struct guard *alternative, int n)
{
    const struct witnesses all = facts->witnesses;
    isl_set *any;
    bool implied;

    if (witnesses_in_branch(facts->lowering->arena, all, alternative, n, false).n > 0)
        return false;
    any = guards_set(facts_known(facts), alternative, n);
    implied = any && isl_set_is_subset(facts_known(facts), any) == isl_bool_true;
    isl_set_free(any);
    return implied;
}

bool facts_exclude(const struct facts *facts, const struct node *a, const struct node *b)
{
    isl_set *first, *second;
    bool exclude;

    for (int k = 0; k < facts->witnesses.n; k++)
        if (witness_holds_any(facts->witnesses.at[k], a->alternative, a->n_alternative) &&
            witness_holds_any(facts->witnesses.at[k], b->alternative, b->n_alternative))
            return false;
    first = guards_set(facts_known(facts), a->alternative, a->n_alternative);
    second = guards_set(facts_known(facts), b->alternative, b->n_alternative);
    exclude = isl_set_is_disjoint(first, second) == isl_bool_true;
    isl_set_free(first);
    isl_set_free(second);
    return exclude;
}

bool facts_possible(const struct facts *facts)
{
    return facts->witnesses.n > 0 || isl_set_is_empty(facts_known(facts)) != isl_bool_true;
}

__isl_give isl_set *facts_values(const struct facts *facts, const struct affine *a)
{
    isl_set *values = isl_set_from_pw_aff(facts_pw_aff(facts, a));

    return isl_set_intersect_params(values, isl_set_copy(facts_known(facts)));
}

/* Has a two values among the witnesses? */
static bool is_seen_to_vary(const struct facts *facts, const struct affine *a)
{
    int64_t first, value;
    int n = 0;

    for (int k = 0; k < facts->witnesses.n; k++) {
        if (!witness_value(facts->witnesses.at[k], a, &value))
            continue;
        if (n++ > 0 && value != first)
            return true;
        first = value;
    }
    return false;
}

/* isl's answer. */
static bool is_singleton(const struct facts *facts, const struct affine *a, int64_t *value)
{
    isl_set *values = facts_values(facts, a);
    bool constant;

    values = isl_set_project_out(values, isl_dim_param, 0, (unsigned)isl_set_dim(values, isl_dim_param));
    constant = isl_set_is_singleton(values) == isl_bool_true;
    if (constant) {
        isl_point *point = isl_set_sample_point(isl_set_copy(values));
        isl_val *only = isl_point_get_coordinate_val(point, isl_dim_set, 0);
        *value = isl_val_get_num_si(only);
        isl_val_free(only);
        isl_point_free(point);
    }
    isl_set_free(values);
    return constant;
}

bool facts_constant(const struct facts *facts, const struct affine *a, int64_t *value)
{
    struct span span;

    if (affine_is_constant(a, value))
        return true;
    if (is_seen_to_vary(facts, a))
        return false;
    span = span_of(facts->lowering->arena, facts->bound, a);
    if (facts->witnesses.n == 0 || (span.modulus != 0 && span.low != span.high))
        return is_singleton(facts, a, value);
    *value = span.modulus == 0 ? span.residue : span.low;
    return true;
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
