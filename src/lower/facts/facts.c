#include "lower/facts/facts.h"

#include "lower/facts/known.h"
#include "lower/facts/over.h"
#include "lower/facts/shown.h"
#include "poly/number.h"

#include <isl/ilp.h>
#include <isl/point.h>
#include <isl/space.h>
#include <isl/val.h>

static void know(struct facts *facts, struct known next)
{
    facts->known = known_with(facts->lowering->arena, facts->known, next);
}

static struct span span_of_param(__isl_keep isl_set *context, const struct var *var)
{
    const int at = isl_set_find_dim_by_name(context, isl_dim_param, var->name);
    isl_set *values = isl_set_project_out(isl_set_copy(context), isl_dim_param, 0, (unsigned)at);
    int64_t least;
    struct span span = span_any();

    values = isl_set_project_out(values, isl_dim_param, 1, (unsigned)isl_set_dim(values, isl_dim_param) - 1);
    values = isl_set_move_dims(isl_set_from_params(values), isl_dim_set, 0, isl_dim_param, 0, 1);
    if (poly_number(isl_set_dim_min_val(values, 0), &least))
        span.low = least;
    return span;
}

/* The dimension of a variable is its identity (lower/facts/over.h): two of the same one would be one. */
static void note_clash(const struct facts *facts, const struct var *var)
{
    struct vars *vars = facts->lowering->vars;

    for (const struct bound_var *bound = facts->bound; bound && !vars->broken; bound = bound->outer)
        if (bound->var->id == var->id)
            vars->broken = arena_printf(vars->arena, "`%s` (#%d) is bound inside of `%s`, which is the same", var->name,
                                        var->id, bound->var->name);
}

static void bind(struct facts *facts, const struct var *var, struct span span)
{
    struct bound_var *bound = ARENA_NEW(facts->lowering->arena, struct bound_var);

    note_clash(facts, var);
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

static void add_dimension(struct facts *facts, const struct var *var, struct span span)
{
    bind(facts, var, span);
    know(facts, (struct known){.kind = KNOWN_DIMENSION, .var = var});
}

__isl_keep isl_set *facts_known(const struct facts *facts)
{
    return known_set(facts->lowering->arena, facts->known);
}

/* The witnesses to go on with: where none is left, points that isl found for an earlier question. */
static struct witnesses witnesses_of(const struct facts *facts)
{
    const struct known *known = facts->known;

    return facts->witnesses.n > 0 ? facts->witnesses : (struct witnesses){known->found.at, known->found.n};
}

void facts_assume_condition(struct facts *facts, const struct condition *condition)
{
    const struct witnesses before = witnesses_of(facts);

    know(facts, (struct known){.kind = KNOWN_CONDITION, .condition = *condition});
    facts->witnesses = witnesses_where(facts->lowering->arena, before, condition);
}

const struct affine_term *facts_splitting_term(const struct affine *a)
{
    for (int k = 0; k < a->n_term; k++)
        if (a->term[k].atom->kind == (a->term[k].factor > 0 ? ATOM_MIN : ATOM_MAX))
            return &a->term[k];
    return NULL;
}

const struct affine *facts_with_argument(struct arena *arena, const struct affine *a, const struct affine_term *term,
                                         int k)
{
    const struct atom *atom = term->atom;
    const struct affine *difference = affine_sub(arena, atom->arg[k], affine_atom(arena, atom));

    return affine_add(arena, a, affine_scale(arena, difference, term->factor));
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
    const struct witnesses before = witnesses_of(facts);

    know(facts, (struct known){.kind = holds ? KNOWN_ANY : KNOWN_NONE, .alternative = alternative, .n = n});
    facts->witnesses = witnesses_in_branch(facts->lowering->arena, before, alternative, n, holds);
}

void facts_assume_guards(struct facts *facts, const struct guard *alternative, int n)
{
    if (n > 1)
        assume_branch(facts, alternative, n, true);
    for (int c = 0; n == 1 && c < alternative->n; c++)
        if (alternative->condition[c].equal)
            facts_assume_zero(facts, alternative->condition[c].affine);
        else
            facts_assume(facts, alternative->condition[c].affine);
}

/* Is each alternative one inequality? Then none holds where the opposite of each does. */
static bool are_inequalities(const struct guard *alternative, int n)
{
    for (int k = 0; k < n; k++)
        if (alternative[k].n != 1 || alternative[k].condition[0].equal)
            return false;
    return true;
}

static void assume_none(struct facts *facts, const struct guard *alternative, int n)
{
    struct arena *arena = facts->lowering->arena;

    if (!are_inequalities(alternative, n)) {
        assume_branch(facts, alternative, n, false);
        return;
    }
    for (int k = 0; k < n; k++) {
        const struct affine *opposite = affine_scale(arena, alternative[k].condition[0].affine, -1);
        opposite = affine_add_constant(arena, opposite, -1);
        if (opposite)
            facts_assume(facts, opposite);
        else
            assume_branch(facts, &alternative[k], 1, false);
    }
}

void facts_enter_branch(struct facts *facts, const struct node *node, int k)
{
    if (k == 0)
        facts_assume_guards(facts, node->alternative, node->n_alternative);
    else
        assume_none(facts, node->alternative, node->n_alternative);
}

void facts_enter_loop(struct facts *facts, const struct node *loop)
{
    struct arena *arena = facts->lowering->arena;
    const int64_t size = loop->step < 0 ? -loop->step : loop->step;
    const struct affine *var = affine_var(arena, loop->var);
    const struct affine *past = affine_sub(arena, var, loop->lower), *left = affine_sub(arena, loop->upper, var);
    const struct witnesses inside = witnesses_in_loop(arena, witnesses_of(facts), loop);

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
    const struct witnesses inside = witnesses_with_value(arena, witnesses_of(facts), value);

    add_dimension(facts, value->var, span_of(arena, facts->bound, value->lower));
    if (!has_extreme(value->lower))
        facts_assume_zero(facts, difference);
    else
        facts_assume(facts, facts_splitting_term(difference) ? difference : affine_scale(arena, difference, -1));
    facts->witnesses = inside;
}

static void enter_tuple(struct facts *facts, const struct node *tuple)
{
    struct arena *arena = facts->lowering->arena;

    for (int k = 0; k < tuple->n_part; k++) {
        const struct part *part = &tuple->part[k];
        struct node *loop = ARENA_NEW(arena, struct node);
        const struct affine *past = affine_add(arena, part->first, part->extent);
        *loop = (struct node){.kind = NODE_LOOP,
                              .var = part->var,
                              .lower = part->first,
                              .upper = affine_add_constant(arena, past, -1),
                              .step = 1};
        facts_enter_loop(facts, loop);
    }
}

/* A number that the tree does not compute. */
static void enter_number(struct facts *facts, const struct node *let)
{
    add_dimension(facts, let->var, span_any());
    facts->witnesses = (struct witnesses){NULL, 0};
    if (let->known)
        facts_assume_guards(facts, let->known, 1);
}

void facts_enter(struct facts *facts, const struct node *node, int k)
{
    if (node->kind == NODE_LET && !node->vector && node->value && node->value->type == TYPE_I64)
        enter_number(facts, node);
    else if (node->kind == NODE_LOOP)
        facts_enter_loop(facts, node);
    else if (node->kind == NODE_VALUE)
        facts_enter_value(facts, node);
    else if (node->kind == NODE_IF && !node->value)
        facts_enter_branch(facts, node, k);
    else if (node->kind == NODE_TUPLE)
        enter_tuple(facts, node);
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

/* A point of what is known as a witness for later questions, here and, where isl found none, further out. */
static void add_found(const struct facts *facts, __isl_keep isl_point *point)
{
    struct arena *arena = facts->lowering->arena;
    isl_space *space = isl_point_get_space(point);
    const struct witness *witness = NULL;
    bool fits = true;

    for (const struct bound_var *bound = facts->bound; bound; bound = bound->outer) {
        isl_val *val = isl_point_get_coordinate_val(point, isl_dim_param, over_dimension(space, bound->var));
        fits = fits && isl_val_cmp_si(val, INT32_MAX) <= 0 && isl_val_cmp_si(val, INT32_MIN) >= 0;
        witness = witness_with(arena, witness, bound->var, fits ? isl_val_get_num_si(val) : 0);
        isl_val_free(val);
    }
    isl_space_free(space);
    for (struct known *known = facts->known; fits && witness && known; known = known->outer)
        if (known == facts->known || known->found.n == 0)
            VEC_PUSH(arena, &known->found, witness);
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
    struct arena *arena = facts->lowering->arena;

    if (has_witness(facts, condition))
        return true;
    if (shown_refuted(facts, condition))
        return false;
    if (has_point(facts, over_where(isl_set_copy(facts_known(facts)), condition)) || facts_vacuous(facts))
        return true;
    VEC_PUSH(arena, &facts->known->refuted, *condition);
    return false;
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
    for (int k = 0; k < n; k++)
        if (shown_guard(facts, &alternative[k]))
            return true;
    any = over_guards(facts_known(facts), alternative, n);
    implied = any && isl_set_is_subset(facts_known(facts), any) == isl_bool_true && !facts_vacuous(facts);
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
    if (shown_exclusive(facts, a, b))
        return true;
    first = over_guards(facts_known(facts), a->alternative, a->n_alternative);
    second = over_guards(facts_known(facts), b->alternative, b->n_alternative);
    exclude = isl_set_is_disjoint(first, second) == isl_bool_true && !facts_vacuous(facts);
    isl_set_free(first);
    isl_set_free(second);
    return exclude;
}

bool facts_possible(const struct facts *facts)
{
    return n_witness(facts) > 0 || has_point(facts, isl_set_copy(facts_known(facts)));
}

bool facts_vacuous(const struct facts *facts)
{
    return facts->lowering->proved && !facts_possible(facts);
}

__isl_give isl_set *facts_values(const struct facts *facts, const struct affine *const *a, int n)
{
    return over_values(isl_set_copy(facts_known(facts)), a, n);
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
