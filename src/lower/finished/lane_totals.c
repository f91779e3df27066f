#include "lower/finished/lane_totals.h"

#include "program/expr/expr.h"
#include "program/program.h"
#include "tree/visit.h"

#include <string.h>

/* Registers of one vector. */
enum { MOST_REGISTERS = 64 };

/* A vector, and what is known of it up to some place behind its LET. */
struct collecting {
    const struct node *let;
    const struct node *end; /* what stores the total; there is no other use of it */
    bool from_target;       /* the vector starts with the element, not with what changes nothing */
    bool ended, failed;
    uint64_t combined; /* bit k: register k is in the first one */
};

struct looking {
    const struct node *let;
    const struct array *array;
    int named, totals, loads;
};

static void look(const struct tree_expr *expr, void *user)
{
    struct looking *looking = user;

    looking->named += expr->kind == TREE_NAMED && expr->var == looking->let->var;
    looking->totals += expr->kind == TREE_TOTAL && expr->var == looking->let->var;
    looking->loads += looking->array && expr->kind == TREE_LOAD && expr->element.array == looking->array;
}

static struct looking uses(const struct node *node, const struct node *let, const struct array *array)
{
    struct looking looking = {.let = let, .array = array};

    tree_expr_for_each(node->value, look, &looking);
    tree_expr_for_each(node->guard_value, look, &looking);
    for (int k = 0; node->target.indirect && k < node->target.array->n_dim; k++)
        tree_expr_for_each(node->target.indirect[k], look, &looking);
    tree_expr_for_each(node->target.distance, look, &looking);
    return looking;
}

/* Is it assigned to in the place of the target? */
static bool is_into(const struct node *assign, const struct node *let)
{
    return assign->vector && assign->vector->sum == let->var;
}

/* The number of the register that is meant: place, or 0; -1: it is no number. */
static int64_t register_number(const struct affine *place)
{
    int64_t number = 0;

    return !place || affine_is_constant(place, &number) ? number : -1;
}

/* Is it `s op= total(v[0])`, or `s = total(v[0])`? */
static bool is_end(const struct node *assign, const struct node *let)
{
    const struct tree_expr *value = assign->value;

    return assign->kind == NODE_ASSIGN && !assign->vector && !assign->argument && !assign->guard_value &&
           !assign->into && !assign->warp_sum && value->kind == TREE_TOTAL && value->var == let->var &&
           value->integer == let->vector->lanes && register_number(value->affine) == 0 &&
           (assign->op == OP_NONE || assign->op == value->op);
}

/* The end, where it runs once whenever the LET does. */
static const struct node *find_end(const struct node *node, const struct node *let)
{
    const struct node *end = NULL;
    const bool goes_down =
        node->kind == NODE_BLOCK || node->kind == NODE_LET || node->kind == NODE_VALUE || node->kind == NODE_POINTER;

    if (is_end(node, let))
        return node;
    for (int k = 0; k < node->n_child && goes_down && !end; k++)
        end = find_end(node->child[k], let);
    return end;
}

static bool is_number(const struct tree_expr *expr, enum expr_op op)
{
    while (expr->kind == TREE_CAST)
        expr = expr->arg[0];
    if (expr->kind == TREE_INT)
        return type_is_float(expr->type) ? (double)expr->integer == op_neutral_real(op)
                                         : expr->integer == op_neutral_integer(op, expr->type);
    return expr->kind == TREE_REAL && expr->real == op_neutral_real(op);
}

/* Does the vector start as it has to? */
static bool starts(struct collecting *collecting)
{
    const struct tree_expr *value = collecting->let->value;
    const enum expr_op op = collecting->end->value->op;

    collecting->from_target =
        value->kind == TREE_LOAD && op_is_idempotent(op) && element_equal(&value->element, &collecting->end->target);
    return collecting->from_target || (is_number(value, op) && collecting->end->op == op);
}

static bool is_update(const struct collecting *collecting, const struct node *assign)
{
    const struct vector *of = collecting->let->vector;

    return is_into(assign, collecting->let) && assign->argument && !collecting->ended && collecting->combined == 0 &&
           assign->op == collecting->end->value->op && assign->vector->lanes == of->lanes &&
           element_equal(&assign->target, &collecting->end->target) &&
           uses(assign, collecting->let, collecting->end->target.array).named == 0;
}

/* Notes `v[0] op= v[k]`; false: it is none. */
static bool combines(struct collecting *collecting, const struct node *assign)
{
    const struct tree_expr *value = assign->value;
    const struct vector *of = collecting->let->vector;
    int64_t number;

    if (!is_into(assign, collecting->let) || assign->argument || collecting->ended || assign->guard_value ||
        assign->vector->mask || assign->vector->active || assign->vector->count ||
        assign->op != collecting->end->value->op || assign->vector->lanes != of->lanes ||
        register_number(assign->vector->place) != 0 || value->kind != TREE_NAMED || value->var != collecting->let->var)
        return false;
    number = register_number(value->affine);
    if (number < 1 || number >= of->registers || collecting->combined & (uint64_t)1 << number)
        return false;
    collecting->combined |= (uint64_t)1 << number;
    return true;
}

/* All registers but the first. */
static uint64_t other_registers(const struct node *let)
{
    return let->vector->registers > 1 ? ((uint64_t)2 << (let->vector->registers - 1)) - 2 : 0;
}

/* Is the array only updated by way of another vector? */
static bool is_of_other(const struct collecting *collecting, const struct node *node)
{
    return !collecting->from_target && node->kind == NODE_ASSIGN && node->op != OP_NONE &&
           ((node->vector && node->vector->sum) || node->value->kind == TREE_TOTAL);
}

static void see(struct collecting *collecting, const struct node *node, bool once)
{
    const struct array *array = collecting->end->target.array;
    const struct looking use = uses(node, collecting->let, array);
    const bool stores = node->kind == NODE_ASSIGN && node->target.array == array;

    if (node == collecting->end)
        collecting->ended = collecting->combined == other_registers(collecting->let);
    else if (is_into(node, collecting->let))
        collecting->failed |=
            node->kind != NODE_ASSIGN || (!is_update(collecting, node) && !(once && combines(collecting, node)));
    else if (use.named + use.totals > 0)
        collecting->failed = true;
    if (node != collecting->end && (stores || use.loads > 0) && !collecting->ended)
        collecting->failed |= !is_into(node, collecting->let) && !(stores && is_of_other(collecting, node));
    collecting->failed |= node == collecting->end && !collecting->ended;
}

/* Sees what runs, in that order; once: whenever the LET does. */
static void follow(struct collecting *collecting, const struct node *node, bool once)
{
    see(collecting, node, once);
    collecting->failed |= node->threads || node->axis != AXIS_NONE || node->kind == NODE_SINGLE;
    once = once && (node->kind == NODE_BLOCK || node->kind == NODE_LET || node->kind == NODE_VALUE ||
                    node->kind == NODE_POINTER);
    for (int k = 0; k < node->n_child && !collecting->failed; k++)
        follow(collecting, node->child[k], once);
}

static bool is_kept(const struct node *let)
{
    struct collecting collecting = {.let = let, .end = find_end(let->child[0], let)};

    if (!collecting.end || !collecting.end->target.array || let->vector->registers > MOST_REGISTERS - 1 ||
        let->argument || !starts(&collecting) || collecting.end->target.array->type != let->value->type)
        return false;
    follow(&collecting, let->child[0], true);
    return collecting.ended && !collecting.failed;
}

struct finding {
    struct arena *arena;
    lane_total_vec *kept;
};

static void look_at(const struct node *node, void *user)
{
    struct finding *finding = user;

    if (node->kind == NODE_LET && node->vector && node->declares == DECLARE_VARIABLE && is_kept(node))
        VEC_PUSH(finding->arena, finding->kept, node);
}

void lane_totals_find(struct arena *arena, const struct node *tree, lane_total_vec *kept)
{
    struct finding finding = {arena, kept};

    node_for_each(tree, look_at, &finding);
}

const struct node *lane_totals_of(const lane_total_vec *kept, const struct node *assign)
{
    for (int k = 0; k < kept->n; k++) {
        const struct node *let = kept->at[k];
        if (is_into(assign, let) || is_end(assign, let))
            return let;
    }
    return NULL;
}

const struct var *lane_held_variable(const struct node *node)
{
    if (node->kind == NODE_LET)
        return node->argument ? node->var : NULL;
    return node->kind == NODE_ASSIGN && node->vector ? node->vector->sum : NULL;
}

struct holding {
    struct arena *arena;
    const lane_total_vec *kept;
    struct lane_held *held;
};

static void hold_load(const struct tree_expr *expr, void *user)
{
    struct holding *holding = user;

    if (expr->kind == TREE_LOAD && expr->element.array)
        VEC_PUSH(holding->arena, &holding->held->in_memory, expr->element.array->name);
}

static void hold_node(const struct node *node, void *user)
{
    struct holding *holding = user;
    const struct array *array = node->statement && node->statement->target ? node->statement->target->array : NULL;
    const bool variable = lane_held_variable(node) && !lane_totals_of(holding->kept, node);

    if (node->kind == NODE_ASSIGN)
        array = node->target.array;
    if (array && variable)
        VEC_PUSH(holding->arena, &holding->held->in_variables, array->name);
    else if (array && node->kind == NODE_ASSIGN)
        VEC_PUSH(holding->arena, &holding->held->in_memory, array->name);
    for (int k = 0; k < node->n_also; k++)
        VEC_PUSH(holding->arena, &holding->held->in_memory, node->also[k].statement->target->array->name);
    tree_expr_for_each(node->value, hold_load, holding);
    tree_expr_for_each(node->guard_value, hold_load, holding);
    for (int k = 0; node->target.indirect && k < node->target.array->n_dim; k++)
        tree_expr_for_each(node->target.indirect[k], hold_load, holding);
}

void lane_held_find(struct arena *arena, const struct node *tree, const lane_total_vec *kept, struct lane_held *held)
{
    struct holding holding = {arena, kept, held};

    node_for_each(tree, hold_node, &holding);
}

bool lane_held_has(const struct lane_held *held, const struct array *array)
{
    bool has = false;

    for (int k = 0; k < held->in_variables.n; k++)
        has = has || strcmp(held->in_variables.at[k], array->name) == 0;
    for (int k = 0; k < held->in_memory.n && has; k++)
        has = strcmp(held->in_memory.at[k], array->name) != 0;
    return has;
}
