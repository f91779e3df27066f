/* Expressions and single statement instances. */
#include "interpret.h"

#include <stdio.h>
#include <stdlib.h>

static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static bool is_division(const struct expr *expr)
{
    return expr->kind == EXPR_BINARY && expr->op == OP_DIV;
}

static int64_t index_divide(struct run *run, int64_t a, int64_t b)
{
    if (b)
        return floor_divide(a, b);
    run->blame.reason = "division by zero in an index";
    return 0;
}

static int64_t index_binary(struct run *run, enum expr_op op, int64_t a, int64_t b)
{
    switch (op) {
    case OP_ADD:
        return a + b;
    case OP_SUB:
        return a - b;
    case OP_MUL:
        return a * b;
    case OP_DIV:
        return index_divide(run, a, b);
    case OP_MOD:
        return a - b * index_divide(run, a, b);
    case OP_LT:
        return a < b;
    case OP_LE:
        return a <= b;
    case OP_GT:
        return a > b;
    case OP_GE:
        return a >= b;
    case OP_EQ:
        return a == b;
    case OP_NE:
        return a != b;
    case OP_LAND:
        return a && b;
    case OP_LOR:
        return a || b;
    default:
        fprintf(stderr, "oracle: operator %s in an index\n", op_symbol(op));
        abort();
    }
}

static int64_t index_call(struct run *run, const struct expr *expr)
{
    const struct expr *first = expr->arg[0];
    int64_t value[2] = {0, 0};

    for (int k = 0; k < expr->n_arg && k < 2; k++)
        value[k] = evaluate_index(run, expr->arg[k]);
    switch (expr->function) {
    case FUNCTION_MIN:
        return value[0] < value[1] ? value[0] : value[1];
    case FUNCTION_MAX:
        return value[0] > value[1] ? value[0] : value[1];
    case FUNCTION_ABS:
        return value[0] < 0 ? -value[0] : value[0];
    case FUNCTION_MOD:
        return index_binary(run, OP_MOD, value[0], value[1]);
    case FUNCTION_FLOOR:
        return value[0];
    case FUNCTION_CEIL:
        if (!is_division(first))
            return value[0];
        return -index_divide(run, -evaluate_index(run, first->arg[0]), evaluate_index(run, first->arg[1]));
    default:
        fprintf(stderr, "oracle: %s in an index\n", function_name(expr->function));
        abort();
    }
}

static int64_t index_unary(enum expr_op op, int64_t value)
{
    return op == OP_NEG ? -value : op == OP_NOT ? ~value : !value;
}

/* A subscript that is a value. */
static int64_t index_of_value(struct run *run, const struct expr *expr)
{
    const bool outside = run->in_subscript;
    struct datum value;

    run->in_subscript = true;
    value = evaluate(run, expr);
    run->in_subscript = outside;
    return datum_convert(value, TYPE_I64, &run->blame).integer;
}

int64_t evaluate_index(struct run *run, const struct expr *expr)
{
    if (expr->type != TYPE_NONE && expr->n_arg > 0)
        return index_of_value(run, expr);
    switch (expr->kind) {
    case EXPR_INT:
        return expr->integer;
    case EXPR_PARAM:
        return run->param[expr->param - run->program->param];
    case EXPR_LOOP:
        return run->loop[expr->loop];
    case EXPR_UNARY:
        return index_unary(expr->op, evaluate_index(run, expr->arg[0]));
    case EXPR_BINARY:
        return index_binary(run, expr->op, evaluate_index(run, expr->arg[0]), evaluate_index(run, expr->arg[1]));
    case EXPR_SELECT:
        return evaluate_index(run, expr->arg[evaluate_index(run, expr->arg[0]) ? 1 : 2]);
    case EXPR_CALL:
        return index_call(run, expr);
    default:
        return index_of_value(run, expr);
    }
}

int64_t evaluate_extent(const struct program *program, const struct expr *expr, int64_t *param)
{
    struct run run = {.program = program, .param = param};

    return evaluate_index(&run, expr);
}

static struct storage *storage_of(struct run *run, const struct array *array)
{
    return &run->storage[array - run->program->array];
}

static void fault(struct run *run, const struct expr *access, const int64_t *index, const char *what)
{
    int at;

    if (run->fault[0])
        return;
    at = snprintf(run->fault, sizeof(run->fault), "%s[", access->array->name);
    for (int k = 0; k < access->n_arg && at < 200; k++)
        at += snprintf(run->fault + at, sizeof(run->fault) - (size_t)at, "%s%lld", k ? "," : "", (long long)index[k]);
    snprintf(run->fault + at, sizeof(run->fault) - (size_t)at, "] %s", what);
}

/* The element's position; -1 (and a fault) when it is outside the array. */
static int64_t locate(struct run *run, const struct expr *access, bool read)
{
    const struct storage *storage = storage_of(run, access->array);
    int64_t index[INTERPRET_MAX_DEPTH];
    int64_t position;

    for (int k = 0; k < access->n_arg; k++)
        index[k] = k < access->array->n_iteration ? 0 : evaluate_index(run, access->arg[k]);
    position = storage_position(storage, index);
    if (position < 0)
        fault(run, access, index, "is outside the array");
    else if (read && !storage->written[position])
        fault(run, access, index, "is read before it is written");
    return position;
}

static struct datum load(struct run *run, const struct expr *access)
{
    const int64_t position = locate(run, access, true);
    const enum type type = access->array->type;

    if (position < 0)
        return datum_integer(type, 0);
    return datum_load(type, storage_of(run, access->array)->byte + position * datum_size(type));
}

/* A literal has the type its context gave it; i32 or f64 alone. */
static struct datum literal(const struct expr *expr)
{
    if (expr->kind == EXPR_INT && type_is_float(expr->type))
        return datum_real(expr->type, (double)expr->integer);
    if (expr->kind == EXPR_INT)
        return datum_integer(expr->type == TYPE_NONE ? TYPE_I64 : expr->type, expr->integer);
    if (type_promote(expr->type) == TYPE_F32 && expr->spelling)
        return datum_real(TYPE_F32, strtof(expr->spelling, NULL));
    return datum_real(expr->type == TYPE_NONE ? TYPE_F64 : expr->type, expr->real);
}

static struct datum whole(struct run *run, const struct expr *expr)
{
    const struct datum value = datum_integer(TYPE_I64, evaluate_index(run, expr));

    return datum_convert(value, expr->type, &run->blame);
}

static struct datum binary(struct run *run, const struct expr *expr)
{
    const struct datum a = evaluate(run, expr->arg[0]);
    const bool division = expr->op == OP_DIV || expr->op == OP_MOD;

    if (run->in_subscript && division && type_is_signed(expr->type))
        return datum_integer(expr->type, index_binary(run, expr->op, a.integer, evaluate(run, expr->arg[1]).integer));
    if (expr->op == OP_LAND && !datum_true(a))
        return datum_integer(TYPE_I32, 0);
    if (expr->op == OP_LOR && datum_true(a))
        return datum_integer(TYPE_I32, 1);
    return datum_binary(expr->op, a, evaluate(run, expr->arg[1]), &run->blame);
}

static struct datum call(struct run *run, const struct expr *expr)
{
    struct datum arg[3];

    for (int k = 0; k < expr->n_arg && k < 3; k++)
        arg[k] = evaluate(run, expr->arg[k]);
    return datum_call(expr->function, expr->type, arg, &run->blame);
}

static struct datum evaluate_untyped(struct run *run, const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_INT:
    case EXPR_REAL:
        return literal(expr);
    case EXPR_PARAM:
    case EXPR_LOOP:
        return whole(run, expr);
    case EXPR_SCALAR:
        return run->scalar[expr->scalar - run->program->scalar];
    case EXPR_ACCESS:
        return load(run, expr);
    case EXPR_UNARY:
        return datum_unary(expr->op, evaluate(run, expr->arg[0]), &run->blame);
    case EXPR_BINARY:
        return binary(run, expr);
    case EXPR_SELECT:
        return evaluate(run, expr->arg[datum_true(evaluate(run, expr->arg[0])) ? 1 : 2]);
    case EXPR_CALL:
        return call(run, expr);
    default:
        return evaluate(run, expr->arg[0]);
    }
}

struct datum evaluate(struct run *run, const struct expr *expr)
{
    return datum_convert(evaluate_untyped(run, expr), expr->type, &run->blame);
}

void execute(struct run *run, const struct statement *statement)
{
    const struct expr *target = statement->target;
    const enum type type = target->array->type;
    struct datum value;
    int64_t position;

    if (run->on_instance)
        run->on_instance(run, statement, run->user);
    value = evaluate(run, statement->value);
    if (statement->op != OP_NONE)
        value = datum_binary(statement->op, load(run, target), value, &run->blame);
    position = locate(run, target, false);
    if (position < 0 || run->fault[0])
        return;
    struct storage *storage = storage_of(run, target->array);
    datum_store(datum_convert(value, type, &run->blame), storage->byte + position * datum_size(type));
    storage->written[position] = true;
}
