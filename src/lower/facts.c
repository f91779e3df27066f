#include "lower/facts.h"

#include "base/vec.h"
#include "lower/bound.h"
#include "poly/keep.h"
#include "poly/union.h"

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
    VEC(const struct witness *) found; /* points of it that isl has found */
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
        sum = isl_aff_add_coefficient_val(sum, isl_dim_param, facts_dimension(space, term->atom->var), factor);
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

static __isl_give isl_pw_aff *pw_aff_over(__isl_keep isl_set *known, const struct affine *a);

static __isl_give isl_pw_aff *atom_pw_aff(__isl_keep isl_set *known, const struct atom *atom)
{
    isl_pw_aff *result, *next;

    if (atom->kind == ATOM_VAR) {
        const struct affine_term term = {1, atom};
        const struct affine var = {0, 1, &term};
        return pw_aff_over(known, &var);
    }
    result = pw_aff_over(known, atom->arg[0]);
    if (atom->kind == ATOM_FLOOR)
        return isl_pw_aff_floor(
            isl_pw_aff_scale_down_val(result, isl_val_int_from_si(isl_set_get_ctx(known), atom->divisor)));
    for (int k = 1; k < atom->n_arg; k++) {
        next = pw_aff_over(known, atom->arg[k]);
        result = atom->kind == ATOM_MIN ? isl_pw_aff_min(result, next) : isl_pw_aff_max(result, next);
    }
    return result;
}

static __isl_give isl_pw_aff *pw_aff_over(__isl_keep isl_set *known, const struct affine *a)
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

/* known where the condition holds. */
static __isl_give isl_set *where(__isl_take isl_set *known, const struct condition *condition)
{
    isl_aff *aff;

    if (has_pieces(condition->affine)) {
        isl_pw_aff *value = pw_aff_over(known, condition->affine);
        return isl_set_intersect(known, condition->equal ? isl_pw_aff_zero_set(value) : isl_pw_aff_nonneg_set(value));
    }
    aff = aff_over(known, condition->affine);
    if (condition->equal)
        return narrowed(isl_aff_zero_basic_set(aff), known);
    return narrowed(isl_aff_neg_basic_set(isl_aff_add_constant_si(isl_aff_neg(aff), -1)), known);
}

/* known where any of the alternatives holds; NULL when there are none. */
static __isl_give isl_set *guards_set(__isl_keep isl_set *known, const struct guard *alternative, int n)
{
    isl_set *any = NULL;

    for (int k = 0; k < n; k++) {
        isl_set *one = isl_set_copy(known);
        for (int c = 0; c < alternative[k].n; c++)
            one = where(one, &alternative[k].condition[c]);
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
        return where(isl_set_copy(before), &known->condition);
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

static int n_witness(const struct facts *facts)
{
    return facts->witnesses.n + facts->known->found.n;
}

static const struct witness *witness_at(const struct facts *facts, int k)
{
    return k < facts->witnesses.n ? facts->witnesses.at[k] : facts->known->found.at[k - facts->witnesses.n];
}

/* Is there a witness where condition holds? */
static bool has_witness(const struct facts *facts, const struct condition *condition)
{
    for (int k = 0; k < n_witness(facts); k++)
        if (witness_holds(witness_at(facts, k), condition))
            return true;
    return false;
}

/* A point of what is known as a witness for later questions. */
static void add_found(const struct facts *facts, __isl_keep isl_point *point)
{
    struct arena *arena = facts->lowering->arena;
    isl_space *space = isl_point_get_space(point);
    const struct witness *witness = NULL;
    bool fits = true;

    for (const struct bound_var *bound = facts->bound; bound; bound = bound->outer) {
        isl_val *val = isl_point_get_coordinate_val(point, isl_dim_param, facts_dimension(space, bound->var));
        fits = fits && isl_val_cmp_si(val, INT32_MAX) <= 0 && isl_val_cmp_si(val, INT32_MIN) >= 0;
        witness = witness_with(arena, witness, bound->var, fits ? isl_val_get_num_si(val) : 0);
        isl_val_free(val);
    }
    isl_space_free(space);
    if (fits && witness)
        VEC_PUSH(arena, &facts->known->found, witness);
}

/* Is set, a part of what is known, not empty? Its point then answers later questions. Yes when isl cannot tell. */
static bool has_point(const struct facts *facts, __isl_take isl_set *set)
{
    isl_point *point = isl_set_sample_point(set);
    const bool none = isl_point_is_void(point) == isl_bool_true;

    if (point && !none)
        add_found(facts, point);
    isl_point_free(point);
    return !none;
}

bool facts_allow_condition(const struct facts *facts, const struct condition *condition)
{
    return has_witness(facts, condition) || has_point(facts, where(isl_set_copy(facts_known(facts)), condition));
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
    return n_witness(facts) > 0 || has_point(facts, isl_set_copy(facts_known(facts)));
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
        list = isl_pw_aff_list_add(list, pw_aff_over(known, a[k]));
    return isl_set_from_multi_pw_aff(isl_multi_pw_aff_from_pw_aff_list(space, list));
}

__isl_give isl_set *facts_values(const struct facts *facts, const struct affine *const *a, int n)
{
    isl_set *known = isl_set_copy(facts_known(facts));
    isl_space *space = isl_space_set_from_params(isl_set_get_space(known));
    bool pieces = false;

    space = isl_space_add_dims(space, isl_dim_set, (unsigned)n);
    for (int k = 0; k < n; k++)
        pieces = pieces || has_pieces(a[k]);
    if (!pieces)
        return narrowed(plain_tuple(known, space, a, n), known);
    return isl_set_intersect_params(tuple_in_pieces(known, space, a, n), known);
}

/* Has a two values among the witnesses? */
static bool is_seen_to_vary(const struct facts *facts, const struct affine *a)
{
    int64_t first, value;
    int n = 0;

    for (int k = 0; k < n_witness(facts); k++) {
        if (!witness_value(witness_at(facts, k), a, &value))
            continue;
        if (n++ > 0 && value != first)
            return true;
        first = value;
    }
    return false;
}

/* Has a nowhere another value than that of a witness? */
static bool has_value_of_witness(const struct facts *facts, const struct affine *a, int64_t *value)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *past;

    if (!facts_possible(facts) || n_witness(facts) == 0 || !witness_value(witness_at(facts, 0), a, value))
        return false;
    past = affine_sub(arena, a, affine_constant(arena, *value));
    return past && facts_imply(facts, past) && facts_imply(facts, affine_scale(arena, past, -1));
}

bool facts_constant(const struct facts *facts, const struct affine *a, int64_t *value)
{
    struct span span;

    if (affine_is_constant(a, value))
        return true;
    if (is_seen_to_vary(facts, a))
        return false;
    span = span_of(facts->lowering->arena, facts->bound, a);
    if (n_witness(facts) == 0 || (span.modulus != 0 && span.low != span.high))
        return has_value_of_witness(facts, a, value);
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
