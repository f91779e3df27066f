#include "lower/body/bodies.h"

#include "lower/lower.h"
#include "program/permit.h"
#include "program/storage/lay_out.h"
#include "tree/visit.h"

/* The instance that is being translated. */
struct instance {
    struct arena *arena;
    struct scope scope;
    const struct program *laid_out;
    bool failed; /* an affine subscript overflowed */
};

static const struct tree_expr *value_expr(struct instance *instance, const struct expr *expr);
static const struct tree_expr *index_expr(struct instance *instance, const struct expr *expr);

static struct tree_expr *with_args(struct instance *instance, struct tree_expr *expr, const struct tree_expr *first,
                                   const struct tree_expr *second)
{
    const struct tree_expr **arg = ARENA_ARRAY(instance->arena, 2, const struct tree_expr *);

    arg[0] = first;
    arg[1] = second;
    expr->arg = arg;
    expr->n_arg = second ? 2 : 1;
    return expr;
}

static const struct tree_expr *cast_to(struct instance *instance, enum type type, const struct tree_expr *expr)
{
    return expr->type == type ? expr : with_args(instance, tree_expr_new(instance->arena, TREE_CAST, type), expr, NULL);
}

static struct element element_of(struct instance *instance, const struct expr *access)
{
    const struct array *array = laid_out_array(instance->laid_out, instance->scope.program, access->array);
    struct expr **arg = laid_out_subscripts(instance->arena, array, access);
    const int n = array->n_dim;
    const struct affine **index = ARENA_ARRAY(instance->arena, n, const struct affine *);
    const struct tree_expr **indirect = ARENA_ARRAY(instance->arena, n, const struct tree_expr *);
    bool any_indirect = false;

    for (int k = 0; k < n; k++) {
        if (affine_from_expr(instance->arena, &instance->scope, arg[k], &index[k])) {
            instance->failed |= !index[k];
            continue;
        }
        indirect[k] = index_expr(instance, arg[k]);
        any_indirect = true;
    }
    return (struct element){.array = array, .index = index, .indirect = any_indirect ? indirect : NULL};
}

static const struct tree_expr *load(struct instance *instance, const struct expr *access)
{
    struct tree_expr *expr = tree_expr_new(instance->arena, TREE_LOAD, access->array->type);

    expr->element = element_of(instance, access);
    return expr;
}

static const struct tree_expr *leaf(struct instance *instance, const struct expr *expr)
{
    struct tree_expr *result;
    const struct affine *affine;

    switch (expr->kind) {
    case EXPR_INT:
        return tree_expr_integer(instance->arena, expr->type, expr->integer);
    case EXPR_REAL:
        result = tree_expr_new(instance->arena, TREE_REAL, expr->type);
        result->real = expr->real;
        result->spelling = expr->spelling;
        return result;
    case EXPR_SCALAR:
        result = tree_expr_new(instance->arena, TREE_SCALAR, expr->scalar->type);
        result->scalar = expr->scalar;
        return result;
    case EXPR_ACCESS:
        return load(instance, expr);
    default:
        affine_from_expr(instance->arena, &instance->scope, expr, &affine);
        instance->failed |= !affine;
        return tree_expr_index(instance->arena, expr->type, affine);
    }
}

static enum tree_expr_kind operation_kind(enum expr_kind kind)
{
    switch (kind) {
    case EXPR_UNARY:
        return TREE_UNARY;
    case EXPR_BINARY:
        return TREE_BINARY;
    case EXPR_SELECT:
        return TREE_SELECT;
    case EXPR_CAST:
        return TREE_CAST;
    default:
        return TREE_CALL;
    }
}

/* expr with its arguments translated by translate, as an operation of the given type. */
static struct tree_expr *operation(struct instance *instance, const struct expr *expr, enum type type,
                                   const struct tree_expr *(*translate)(struct instance *, const struct expr *))
{
    struct tree_expr *result = tree_expr_new(instance->arena, operation_kind(expr->kind), type);
    const struct tree_expr **arg = ARENA_ARRAY(instance->arena, expr->n_arg, const struct tree_expr *);

    for (int k = 0; k < expr->n_arg; k++)
        arg[k] = translate(instance, expr->arg[k]);
    result->op = expr->op;
    result->function = expr->function;
    result->permit = expr->permit;
    result->arg = arg;
    result->n_arg = expr->n_arg;
    return result;
}

static const struct tree_expr *value_expr(struct instance *instance, const struct expr *expr)
{
    return expr->n_arg && expr->kind != EXPR_ACCESS ? operation(instance, expr, expr->type, value_expr)
                                                    : leaf(instance, expr);
}

/* What C computes part of a subscript in: integers of loops and parameters have no type of their own. */
static enum type index_type(const struct expr *expr)
{
    const bool binary = expr->kind == EXPR_BINARY;
    const bool truth = (expr->kind == EXPR_UNARY && expr->op == OP_LNOT) ||
                       (binary && expr->op >= OP_LT && expr->op <= OP_NE) ||
                       (binary && (expr->op == OP_LAND || expr->op == OP_LOR));

    return expr->type != TYPE_NONE ? expr->type : truth ? TYPE_BOOL : TYPE_I64;
}

/* Is it 2^n? *n: that. */
static bool is_power(const struct tree_expr *expr, int64_t *n)
{
    if (expr->kind != TREE_INT || expr->integer < 1 || (expr->integer & (expr->integer - 1)) != 0)
        return false;
    for (*n = 0; (int64_t)1 << *n < expr->integer;)
        ++*n;
    return true;
}

/* A signed division of a subscript, which rounds down: by 2^n it moves bits, or takes some of them. */
static const struct tree_expr *floor_division(struct instance *instance, struct tree_expr *division)
{
    const struct tree_expr *a = division->arg[0], *b = division->arg[1];
    const enum type type = division->type;
    const bool remainder = division->op == OP_MOD;
    struct tree_expr *bits;
    int64_t n;

    if (is_power(b, &n)) {
        bits = tree_expr_new(instance->arena, TREE_INT, b->type);
        bits->integer = remainder ? b->integer - 1 : n;
        division->op = remainder ? OP_AND : OP_SHR;
        return with_args(instance, division, a, bits);
    }
    division->kind = TREE_CALL;
    division->type = TYPE_I64;
    division->function = remainder ? FUNCTION_MOD : FUNCTION_FLOOR;
    return cast_to(instance, type,
                   with_args(instance, division, cast_to(instance, TYPE_I64, a), cast_to(instance, TYPE_I64, b)));
}

/* Part of an indirect subscript: as a value, but / and % round down. */
static const struct tree_expr *index_expr(struct instance *instance, const struct expr *expr)
{
    const bool division = expr->kind == EXPR_BINARY && (expr->op == OP_DIV || expr->op == OP_MOD);
    const enum type type = index_type(expr);

    if (!expr->n_arg || expr->kind == EXPR_ACCESS) {
        struct expr typed = *expr;
        typed.type = type;
        return leaf(instance, expr->kind == EXPR_ACCESS ? expr : &typed);
    }
    struct tree_expr *result = operation(instance, expr, type, index_expr);
    if (!division || !type_is_signed(type))
        return result;
    return floor_division(instance, result);
}

/* The type of a op b for promoted operands: C's usual arithmetic conversions. */
static enum type common_type(enum type a, enum type b)
{
    const bool a_float = type_is_float(a), b_float = type_is_float(b);

    if (a_float || b_float)
        return a_float && (!b_float || type_bits(a) >= type_bits(b)) ? a : b;
    if (type_bits(a) != type_bits(b))
        return type_bits(a) > type_bits(b) ? a : b;
    return type_is_signed(a) ? b : a;
}

static bool is_shift(enum expr_op op)
{
    return op == OP_SHL || op == OP_SHR;
}

/* The value in type: that which was widened from it. */
static const struct tree_expr *in_type(struct instance *instance, enum type type, const struct tree_expr *value)
{
    const struct tree_expr *own = tree_expr_unwidened(value);

    return own->type == type ? own : cast_to(instance, type, value);
}

/* The value of target op value, computed as the description says, before it is converted back. */
static const struct tree_expr *updated(struct instance *instance, const struct statement *statement, enum type computed,
                                       const struct tree_expr *value)
{
    const bool extreme = op_is_extreme(statement->op);
    struct tree_expr *result = tree_expr_new(instance->arena, extreme ? TREE_CALL : TREE_BINARY, computed);
    const struct tree_expr *old = load(instance, statement->target);

    result->op = statement->op;
    result->permit = statement_permit(instance->scope.program, statement);
    result->function = statement->op == OP_MIN ? FUNCTION_MIN : FUNCTION_MAX;
    return with_args(instance, result, cast_to(instance, computed, old), value);
}

static void fill_value(struct instance *instance, struct node *node)
{
    const struct statement *statement = node->statement;
    const enum type type = statement->target->array->type, promoted = type_promote(type);
    const struct tree_expr *value = value_expr(instance, statement->value);

    node->op = OP_NONE;
    if (statement->op == OP_NONE) {
        node->value = cast_to(instance, type, value);
        return;
    }
    const enum type computed = is_shift(statement->op) ? promoted : common_type(promoted, type_promote(value->type));
    if (!is_shift(statement->op))
        value = cast_to(instance, computed, value);
    const bool joint = statement->atomic || statement->lanes;
    if (joint || (computed == type && !op_is_extreme(statement->op))) {
        node->op = statement->op;
        node->value = joint ? in_type(instance, type, value) : value;
        return;
    }
    node->value = cast_to(instance, type, updated(instance, statement, computed, value));
}

struct pass {
    struct arena *arena;
    const struct program *program, *laid_out;
    const struct var *const *param_var;
    const bool *reordered;
};

/* The conditions under which the instance has a value for its warp's update. */
static void set_taking(struct instance *instance, const struct statement *statement, struct node *node)
{
    struct condition *condition = ARENA_ARRAY(instance->arena, statement->n_taking + 1, struct condition);
    struct guard *guard = ARENA_NEW(instance->arena, struct guard);

    for (int k = 0; k < statement->n_taking; k++)
        if (!affine_from_expr(instance->arena, &instance->scope, statement->taking[k], &condition[k].affine))
            instance->failed = true;
    *guard = (struct guard){condition, statement->n_taking};
    node->alternative = guard;
    node->n_alternative = statement->n_taking > 0;
}

static const struct node *assign(const struct pass *pass, const struct node *node)
{
    struct instance instance = {pass->arena, {pass->program, pass->param_var, node->argument}, pass->laid_out, false};
    struct node *result = ARENA_NEW(pass->arena, struct node);

    *result = *node;
    result->kind = NODE_ASSIGN;
    result->target = element_of(&instance, node->statement->target);
    fill_value(&instance, result);
    result->atomic = node->statement->atomic;
    result->neighbours = node->statement->neighbours;
    for (int k = 0; k < 2; k++)
        result->apart[k] = node->statement->apart[k];
    result->asynchronous = node->statement->asynchronous;
    if (node->statement->lanes) {
        struct warp_sum *sum = ARENA_NEW(pass->arena, struct warp_sum);
        sum->threads = node->statement->lanes;
        sum->warp = pass->program->target.warp;
        sum->by_warp = node->statement->by_warp;
        sum->total = node->statement->total;
        result->warp_sum = sum;
        set_taking(&instance, node->statement, result);
    }
    result->wrap = pass->reordered && pass->reordered[node->statement->index];
    if (node->statement->guard)
        result->guard_value = value_expr(&instance, node->statement->guard);
    return instance.failed ? NULL : result;
}

const struct tree_expr *body_value(struct arena *arena, const struct scope *scope, const struct program *laid_out,
                                   const struct expr *expr)
{
    struct instance instance = {arena, *scope, laid_out, false};
    const struct tree_expr *value = value_expr(&instance, expr);

    return instance.failed ? NULL : value;
}

const struct tree_expr *body_condition(struct arena *arena, const struct program *program,
                                       const struct var *const *param_var, const struct expr *condition)
{
    const struct scope scope = {program, param_var, NULL};

    return body_value(arena, &scope, program, condition);
}

/* The loop, its threads with the condition of their use; NULL on an overflow. */
static const struct node *with_condition(const struct pass *pass, const struct node *loop)
{
    struct threads *threads = ARENA_NEW(pass->arena, struct threads);
    struct node *copy = ARENA_NEW(pass->arena, struct node);

    *threads = *loop->threads;
    threads->condition = body_condition(pass->arena, pass->program, pass->param_var, threads->only_if->condition);
    *copy = *loop;
    copy->threads = threads;
    return threads->condition ? copy : NULL;
}

static const struct node *barrier(const struct pass *pass, const struct statement *statement)
{
    return node_barrier(pass->arena, statement, statement->barrier, statement->waits, statement->lone,
                        statement->prior);
}

static const struct node *lower(const struct pass *pass, const struct node *node)
{
    if (node->kind == NODE_STATEMENT && node->statement->barrier)
        return barrier(pass, node->statement);
    if (node->kind == NODE_STATEMENT)
        return assign(pass, node);
    const struct node **child = ARENA_ARRAY(pass->arena, node->n_child, const struct node *);
    for (int k = 0; k < node->n_child; k++)
        child[k] = lower(pass, node->child[k]);
    node = node_with_children(pass->arena, node, child);
    if (node && node->threads && node->threads->only_if)
        return with_condition(pass, node);
    if (node && node->kind == NODE_VALUE && !node_uses(node->child[0], node->var))
        return node_substitute(pass->arena, node->child[0], node->var, node->lower);
    return node;
}

const struct node *lower_bodies(struct lowering *lowering, const struct program *laid_out, const bool *reordered,
                                const struct node *tree)
{
    const struct pass pass = {lowering->arena, lowering->program, laid_out, lowering->param_var, reordered};

    return lower(&pass, tree);
}
