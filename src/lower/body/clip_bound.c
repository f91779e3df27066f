#include "lower/body/clip_bound.h"

#include "program/expr/range.h"
#include "tree/translate.h"
#include "tree/visit.h"

static bool add_expr(struct arena *arena, const struct tree_expr *expr, int sign, struct sum *sum);

/* An element of a type all of whose values i64 has. */
static bool add_load(const struct tree_expr *load, int sign, struct sum *sum)
{
    const struct array *array = load->element.array;

    if (load->kind != TREE_LOAD || load->integer > 0 || sum->n == MOST_LOADS || load->element.indirect ||
        !type_holds(TYPE_I64, load->type) || (array->role != ROLE_IN && array->role != ROLE_CONST))
        return false;
    sum->load[sum->n++] = (struct signed_load){load, sign};
    return true;
}

static bool add_binary(struct arena *arena, const struct tree_expr *expr, int sign, struct sum *sum)
{
    return (expr->op == OP_ADD || expr->op == OP_SUB) && add_expr(arena, expr->arg[0], sign, sum) &&
           add_expr(arena, expr->arg[1], expr->op == OP_ADD ? sign : -sign, sum);
}

static bool add_index(struct arena *arena, const struct tree_expr *expr, int sign, struct sum *sum)
{
    if (expr->type == TYPE_I32 && sum->n_narrow == MOST_NARROW)
        return false;
    if (expr->type == TYPE_I32)
        sum->narrow[sum->n_narrow++] = expr->affine;
    sum->affine = affine_combine(arena, sum->affine, 1, expr->affine, sign);
    return sum->affine;
}

static bool add_expr(struct arena *arena, const struct tree_expr *expr, int sign, struct sum *sum)
{
    if (expr->type != TYPE_I64 && expr->type != TYPE_I32)
        return false;
    switch (expr->kind) {
    case TREE_INT:
        sum->affine = affine_add_constant(arena, sum->affine, sign * expr->integer);
        return sum->affine;
    case TREE_INDEX:
        return add_index(arena, expr, sign, sum);
    case TREE_BINARY:
        return add_binary(arena, expr, sign, sum);
    case TREE_CAST:
        return type_holds(expr->type, expr->arg[0]->type) &&
               (expr->arg[0]->kind == TREE_LOAD ? add_load(expr->arg[0], sign, sum)
                                                : add_expr(arena, expr->arg[0], sign, sum));
    case TREE_LOAD:
        return add_load(expr, sign, sum);
    default:
        return false;
    }
}

bool sum_of(struct arena *arena, const struct tree_expr *expr, struct sum *sum)
{
    *sum = (struct sum){.affine = affine_constant(arena, 0)};
    return add_expr(arena, expr, 1, sum);
}

bool sum_of_comparison(struct arena *arena, const struct tree_expr *comparison, struct sum *sum)
{
    const enum expr_op op = comparison->op;
    const int sign = op == OP_LT || op == OP_LE ? -1 : 1;

    *sum = (struct sum){.affine = affine_constant(arena, op == OP_LT || op == OP_GT ? -1 : 0)};
    return comparison->kind == TREE_BINARY && op >= OP_LT && op <= OP_GE &&
           add_expr(arena, comparison->arg[0], sign, sum) && add_expr(arena, comparison->arg[1], -sign, sum);
}

void sum_substitute(struct arena *arena, struct sum *sum, const struct var *var, const struct affine *value)
{
    sum->affine = affine_substitute(arena, sum->affine, var, value);
    for (int k = 0; k < sum->n_narrow && sum->affine; k++) {
        sum->narrow[k] = affine_substitute(arena, sum->narrow[k], var, value);
        if (!sum->narrow[k])
            sum->affine = NULL;
    }
}

bool sum_fits(const struct facts *facts, const struct sum *sum)
{
    struct arena *arena = facts->lowering->arena;
    bool fits = true;

    for (int k = 0; k < sum->n_narrow && fits; k++) {
        const struct affine *past = affine_add_constant(arena, sum->narrow[k], INT64_C(1) << 31);
        const struct affine *left = affine_add_constant(arena, affine_scale(arena, sum->narrow[k], -1), INT32_MAX);
        fits = past && left && facts_imply(facts, past) && facts_imply(facts, left);
    }
    return fits;
}

static bool is_inner(const struct var *var, const void *user)
{
    const var_list *inner = user;
    bool found = false;

    for (int k = 0; k < inner->n && !found; k++)
        found = inner->at[k] == var;
    return found;
}

bool load_moves(const struct tree_expr *load, const var_list *inner)
{
    bool moves = false;

    for (int k = 0; k < load->element.array->n_dim && !moves; k++)
        moves = affine_any_var(load->element.index[k], is_inner, inner);
    return moves;
}

bool sum_stays_in_range(const struct sum *sum)
{
    bool stays = true;

    for (int k = 0; k < sum->n && stays; k++)
        stays = type_bits(sum->load[k].expr->type) < type_bits(TYPE_I64) || sum->load[k].expr->element.array->values;
    return stays || (sum->n == 1 && affine_is_constant(sum->affine, NULL) && sum->affine->constant == 0);
}

bool bound_from(struct arena *arena, const struct sum *sum, const struct var *var, const var_list *inner,
                struct bound *bound)
{
    int64_t factor;

    if (!affine_linear_factor(arena, sum->affine, var, &factor) || (factor != 1 && factor != -1))
        return false;
    *bound = (struct bound){.upper = factor < 0, .sum = *sum};
    bound->sum.affine = affine_combine(arena, sum->affine, 1, affine_var(arena, var), -factor);
    if (bound->upper)
        bound->sum.affine = affine_add_constant(arena, bound->sum.affine, 1);
    else
        bound->sum.affine = affine_scale(arena, bound->sum.affine, -1);
    for (int k = 0; k < sum->n; k++) {
        bound->sum.load[k].sign *= bound->upper ? 1 : -1;
        if (load_moves(sum->load[k].expr, inner))
            return false;
    }
    return sum->n > 0 && bound->sum.affine && sum_stays_in_range(&bound->sum) &&
           !affine_any_var(bound->sum.affine, is_inner, inner);
}

bool sum_equal(const struct sum *a, const struct sum *b)
{
    bool same = a->n == b->n && affine_equal(a->affine, b->affine);

    for (int k = 0; k < a->n && same; k++)
        same = a->load[k].sign == b->load[k].sign && tree_expr_equal(a->load[k].expr, b->load[k].expr);
    return same;
}

const struct bound *bound_find(const bound_list *list, const struct bound *bound)
{
    for (int k = 0; k < list->n; k++)
        if (list->at[k].upper == bound->upper && sum_equal(&list->at[k].sum, &bound->sum))
            return &list->at[k];
    return NULL;
}

static const struct tree_expr *added(struct arena *arena, const struct tree_expr *value, int sign,
                                     const struct tree_expr *next)
{
    if (!value && sign > 0)
        return next;
    return tree_expr_binary(arena, sign > 0 ? OP_ADD : OP_SUB, TYPE_I64,
                            value ? value : tree_expr_integer(arena, TYPE_I64, 0), next);
}

static bool is_negative(const struct affine *affine)
{
    bool negative = affine->constant <= 0;

    for (int k = 0; k < affine->n_term && negative; k++)
        negative = affine->term[k].factor < 0;
    return negative;
}

/* What is subtracted stands behind what is added. */
const struct tree_expr *sum_value(struct arena *arena, const struct sum *sum)
{
    const struct tree_expr *value = NULL;
    const bool less = is_negative(sum->affine);

    for (int k = 0; k < sum->n; k++)
        if (sum->load[k].sign > 0)
            value = added(arena, value, 1, tree_expr_cast(arena, TYPE_I64, sum->load[k].expr));
    if (sum->affine->n_term > 0 || sum->affine->constant != 0)
        value = added(arena, value, less ? -1 : 1,
                      tree_expr_index(arena, TYPE_I64, less ? affine_scale(arena, sum->affine, -1) : sum->affine));
    for (int k = 0; k < sum->n; k++)
        if (sum->load[k].sign < 0)
            value = added(arena, value, -1, tree_expr_cast(arena, TYPE_I64, sum->load[k].expr));
    return value;
}

const struct tree_expr *bound_limited(struct arena *arena, const struct bound *bound, const struct tree_expr *value,
                                      const struct affine *limit)
{
    struct tree_expr *closer = tree_expr_new(arena, TREE_CALL, TYPE_I64);
    const struct tree_expr **arg = ARENA_ARRAY(arena, 2, const struct tree_expr *);

    arg[0] = tree_expr_index(arena, TYPE_I64, limit);
    arg[1] = value;
    closer->function = bound->upper ? FUNCTION_MIN : FUNCTION_MAX;
    closer->arg = arg;
    closer->n_arg = 2;
    return closer;
}

const struct guard *bound_closer(struct arena *arena, const struct bound *bound, const struct var *var,
                                 const struct affine *limit)
{
    struct condition *condition = ARENA_NEW(arena, struct condition);
    struct guard *guard = ARENA_NEW(arena, struct guard);
    const struct affine *own = affine_var(arena, var);

    condition->affine = bound->upper ? affine_sub(arena, limit, own) : affine_sub(arena, own, limit);
    *guard = (struct guard){condition, 1};
    return condition->affine ? guard : NULL;
}

typedef VEC(struct condition) condition_list;

/* The conjuncts of "values" of element; others than comparisons of what is affine are left out. */
static void add_values(struct lowering *lowering, const struct expr *values, const struct affine *element,
                       condition_list *list)
{
    struct arena *arena = lowering->arena;
    const struct scope scope = {lowering->program, lowering->param_var, &element};
    const bool less = values->op == OP_LT || values->op == OP_LE;
    const struct affine *side[2], *difference;

    if (values->kind != EXPR_BINARY)
        return;
    if (values->op == OP_LAND) {
        add_values(lowering, values->arg[0], element, list);
        add_values(lowering, values->arg[1], element, list);
        return;
    }
    if (values->op < OP_LT || values->op > OP_EQ)
        return;
    for (int k = 0; k < 2; k++)
        if (!affine_from_expr(arena, &scope, values->arg[k], &side[k]) || !side[k])
            return;
    difference = less ? affine_sub(arena, side[1], side[0]) : affine_sub(arena, side[0], side[1]);
    if (values->op == OP_LT || values->op == OP_GT)
        difference = affine_add_constant(arena, difference, -1);
    if (difference)
        VEC_PUSH(arena, list, ((struct condition){difference, values->op == OP_EQ}));
}

static void add_type(struct arena *arena, enum type type, const struct affine *element, condition_list *list)
{
    const struct range range = type_range(type);
    const struct affine *end[2];

    if (!type_is_short(type))
        return;
    end[0] = affine_add_constant(arena, element, -range.least);
    end[1] = affine_add_constant(arena, affine_scale(arena, element, -1), range.greatest);
    for (int k = 0; k < 2; k++)
        if (end[k])
            VEC_PUSH(arena, list, ((struct condition){end[k], false}));
}

const struct guard *bound_known(struct lowering *lowering, const struct bound *bound, const struct var *var)
{
    struct arena *arena = lowering->arena;
    const struct signed_load *load = &bound->sum.load[0];
    const struct affine *element = affine_sub(arena, affine_var(arena, var), bound->sum.affine);
    struct guard *guard = ARENA_NEW(arena, struct guard);
    condition_list list = {0};

    element = affine_scale(arena, element, load->sign);
    if (bound->sum.n > 1 || !element)
        return NULL;
    if (load->expr->element.array->values)
        add_values(lowering, load->expr->element.array->values, element, &list);
    add_type(arena, load->expr->element.array->type, element, &list);
    *guard = (struct guard){list.at, list.n};
    return list.n ? guard : NULL;
}
