#include "lower/facts/ends.h"

#include "lower/facts/conjuncts.h"
#include "tree/visit.h"

/* The loop at hand. */
struct ending {
    struct arena *arena;
    const struct node *loop;
    conjunct_vec condition;        /* of which one that does not hold is enough */
    VEC(const struct node *) name; /* LETs inside of it, whose values are computed in each iteration */
    const struct affine *below;    /* of lanes, where it is about the first ones: how many */
    bool lanes, sure;
};

/* The value of a name that is bound inside of the loop, around the node at hand; NULL: expr is no such name. */
static const struct tree_expr *meant(const struct ending *ending, const struct tree_expr *expr)
{
    for (int k = ending->name.n - 1; k >= 0 && expr->kind == TREE_NAMED; k--)
        if (ending->name.at[k]->var == expr->var)
            return ending->name.at[k]->value;
    return NULL;
}

/* expr without names that are bound in the loop. */
static const struct tree_expr *spelt_out(const struct ending *ending, const struct tree_expr *expr)
{
    const struct tree_expr *value = meant(ending, expr);
    const struct tree_expr **arg = ARENA_ARRAY(ending->arena, expr->n_arg + 1, const struct tree_expr *);
    struct tree_expr *copy;
    bool same = true;

    if (value)
        return spelt_out(ending, value);
    for (int k = 0; k < expr->n_arg; k++) {
        arg[k] = spelt_out(ending, expr->arg[k]);
        same = same && arg[k] == expr->arg[k];
    }
    if (same)
        return expr;
    copy = ARENA_NEW(ending->arena, struct tree_expr);
    *copy = *expr;
    copy->arg = arg;
    return copy;
}

/* Is it a number in a type that has all of the number's values? */
static bool widens(const struct tree_expr *expr)
{
    const enum type from = expr->kind == TREE_CAST ? expr->arg[0]->type : TYPE_F64;

    return !type_is_float(from) && !type_is_float(expr->type) && type_bits(expr->type) >= type_bits(from);
}

/* A number is true where it is not 0, in whichever type. */
static const struct tree_expr *truth(const struct tree_expr *condition)
{
    const bool compares = condition->kind == TREE_BINARY && condition->op == OP_NE &&
                          condition->arg[1]->kind == TREE_INT && condition->arg[1]->integer == 0;

    if (compares && !type_is_float(condition->arg[0]->type))
        condition = condition->arg[0];
    while (widens(condition))
        condition = condition->arg[0];
    return condition;
}

/* The conditions that all have to hold where expr does. */
static void add_conditions(const struct ending *ending, const struct tree_expr *expr, conjunct_vec *list)
{
    conjunct_vec all = {0};

    conjuncts_add(ending->arena, spelt_out(ending, expr), &all);
    for (int k = 0; k < all.n; k++)
        VEC_PUSH(ending->arena, list, truth(all.at[k]));
}

/* Does the assignment run only where all of the loop's condition holds? */
static bool is_under(const struct ending *ending, const struct node *assign)
{
    conjunct_vec own = {0};
    bool under = true;

    if (assign->guard_value)
        add_conditions(ending, assign->guard_value, &own);
    if (assign->vector && assign->vector->active)
        add_conditions(ending, assign->vector->active, &own);
    for (int k = 0; k < ending->condition.n && under; k++)
        under = conjuncts_have(&own, ending->condition.at[k]);
    return under;
}

/* Are the lanes that it is about among those of which the loop's condition is asked? Of a variable's nobody looks at
 * others. */
static bool is_about_the_lanes(const struct ending *ending, const struct node *assign)
{
    const struct vector *vector = assign->vector;

    if (!ending->lanes)
        return true;
    return vector && vector->lanes == ending->loop->guard_value->integer &&
           (!ending->below || vector->sum || (vector->count && affine_equal(vector->count, ending->below)));
}

static void look_at(const struct node *node, void *user)
{
    struct ending *ending = user;

    for (int k = 0; node->var && k < ending->condition.n; k++)
        ending->sure &= !tree_expr_uses(ending->condition.at[k], node->var);
    switch (node->kind) {
    case NODE_BLOCK:
    case NODE_LOOP:
    case NODE_IF:
    case NODE_VALUE:
    case NODE_SWITCH:
    case NODE_POINTER:
    case NODE_PREFETCH:
        ending->sure &= !node->threads && node->axis == AXIS_NONE;
        break;
    case NODE_LET:
        VEC_PUSH(ending->arena, &ending->name, node);
        break;
    case NODE_ASSIGN:
        ending->sure &=
            (node->declares && !node->argument) || (is_under(ending, node) && is_about_the_lanes(ending, node));
        ending->sure &= !node->warp_sum && !node->asynchronous;
        break;
    default:
        ending->sure = false;
    }
}

/* Of lanes, without the mask of those that are active. */
static void set_condition(struct ending *ending)
{
    const struct tree_expr *condition = ending->loop->guard_value;
    conjunct_vec all = {0};

    ending->lanes = condition->kind == TREE_ANY;
    conjuncts_add(ending->arena, ending->lanes ? condition->arg[0] : condition, &all);
    for (int k = 0; k < all.n; k++)
        if (ending->lanes && all.at[k]->kind == TREE_MASK && !ending->below)
            ending->below = all.at[k]->affine;
        else
            VEC_PUSH(ending->arena, &ending->condition, truth(all.at[k]));
}

bool ends_soundly(struct arena *arena, const struct node *loop)
{
    struct ending ending = {.arena = arena, .loop = loop, .sure = true};

    set_condition(&ending);
    node_for_each(loop->child[0], look_at, &ending);
    for (int k = 0; k < ending.condition.n; k++)
        ending.sure &= !tree_expr_uses(ending.condition.at[k], loop->var);
    return ending.sure && ending.condition.n > 0;
}

struct search {
    struct arena *arena;
    const struct node *wrong;
};

static void judge(const struct node *node, void *user)
{
    struct search *search = user;

    if (node->kind == NODE_LOOP && node->guard_value && !ends_soundly(search->arena, node))
        search->wrong = node;
}

const struct node *ends_too_early(struct arena *arena, const struct node *tree)
{
    struct search search = {arena, NULL};

    node_for_each(tree, judge, &search);
    return search.wrong;
}
