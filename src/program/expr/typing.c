#include "program/expr/typing.h"

#include "program/expr/affine.h"
#include "program/expr/literal.h"
#include "program/expr/settle.h"

/* An expression on its way to a type; see settle.h for what flexible means. */
struct typed {
    struct expr *expr; /* NULL after a fault */
    enum type natural; /* the widest type among its operands, before promotion */
};

static const struct typed fault = {NULL, TYPE_NONE};

static struct typed type_value(struct typing *typing, const struct expr *expr);

/* C's usual arithmetic conversions on promoted types. */
static enum type common_type(enum type a, enum type b)
{
    if (type_is_float(a) != type_is_float(b))
        return type_is_float(a) ? a : b;
    if (type_bits(a) != type_bits(b))
        return type_bits(a) > type_bits(b) ? a : b;
    return type_is_signed(a) ? b : a;
}

static enum type wider(enum type a, enum type b)
{
    if (a == TYPE_NONE || b == TYPE_NONE)
        return a == TYPE_NONE ? b : a;
    if (type_bits(a) != type_bits(b))
        return type_bits(a) > type_bits(b) ? a : b;
    return type_is_float(b) || a == TYPE_BOOL ? b : a;
}

static bool mixes_real_and_name(const struct expr *a, const struct expr *b)
{
    const struct expr *whole = expr_is_real(a) ? b : a;

    return expr_is_real(a) != expr_is_real(b) && whole->kind != EXPR_INT && whole->kind != EXPR_LONG;
}

/* The type two values meet in; TYPE_NONE when both are flexible, integers and may stay so. */
static bool meeting_type(struct typing *typing, const struct expr *a, const struct expr *b, enum type *type)
{
    if (!expr_is_flexible(a) || !expr_is_flexible(b)) {
        *type = expr_is_flexible(a)   ? type_promote(b->type)
                : expr_is_flexible(b) ? type_promote(a->type)
                                      : common_type(type_promote(a->type), type_promote(b->type));
        return true;
    }
    *type = expr_is_real(a) || expr_is_real(b) ? TYPE_F64 : TYPE_NONE;
    if (!mixes_real_and_name(a, b))
        return true;
    diag_hint(typing->diags,
              diag_error(typing->diags, "type", expr_is_real(a) ? a->place : b->place,
                         "a real literal stands beside an integer: the type is open"),
              "say what is meant with a cast, such as f32(i)");
    return false;
}

static struct expr *into(struct typing *typing, struct expr *expr, enum type type)
{
    return expr_is_flexible(expr) ? settle(typing, expr, type) : typing_convert(typing, expr, type);
}

/* Both arguments in one type, which is also the result's; flexible ones stay when both are. */
static struct expr *meet(struct typing *typing, const struct expr *expr, int first, enum type *met)
{
    struct expr *result = typing_copy(typing, expr, TYPE_NONE);

    if (!meeting_type(typing, expr->arg[first], expr->arg[first + 1], met))
        return NULL;
    if (*met == TYPE_NONE)
        return result;
    result->type = *met;
    for (int k = first; k < first + 2; k++) {
        result->arg[k] = into(typing, expr->arg[k], *met);
        if (!result->arg[k])
            return NULL;
    }
    return result;
}

static bool refuse_float(struct typing *typing, const struct expr *expr, const struct expr *arg, const char *what)
{
    if (!type_is_float(arg->type) && !expr_is_real(arg))
        return true;
    diag_error(typing->diags, "type", expr->place, "`%s` needs integers, this is %s", what,
               expr_is_real(arg) ? "a real literal" : type_name(arg->type));
    return false;
}

static bool is_open_literal(const struct expr *expr)
{
    return expr_is_literal(expr) && expr_is_flexible(expr);
}

static struct typed type_arithmetic(struct typing *typing, struct expr *expr, enum type natural)
{
    enum type met;
    const bool integers = expr->op == OP_MOD || expr->op == OP_AND || expr->op == OP_OR || expr->op == OP_XOR;

    if (integers && (!refuse_float(typing, expr, expr->arg[0], op_symbol(expr->op)) ||
                     !refuse_float(typing, expr, expr->arg[1], op_symbol(expr->op))))
        return fault;
    if (is_open_literal(expr->arg[0]) && is_open_literal(expr->arg[1]))
        return (struct typed){literal_fold(typing->arena, typing->diags, expr), TYPE_NONE};
    return (struct typed){meet(typing, expr, 0, &met), natural};
}

static struct expr *shift_count(struct typing *typing, struct expr *count)
{
    return expr_is_flexible(count) ? settle(typing, count, TYPE_I32) : settle_operand(typing, count);
}

static struct typed type_shift(struct typing *typing, struct expr *expr, const struct typed *arg)
{
    enum type type;

    if (!refuse_float(typing, expr, expr->arg[0], op_symbol(expr->op)) ||
        !refuse_float(typing, expr, expr->arg[1], op_symbol(expr->op)))
        return fault;
    if (expr_is_flexible(expr->arg[0]) && expr_is_flexible(expr->arg[1]))
        return type_arithmetic(typing, expr, TYPE_NONE);
    type = type_promote(expr_is_flexible(expr->arg[0]) ? expr->arg[1]->type : expr->arg[0]->type);
    expr = typing_copy(typing, expr, type);
    expr->arg[0] = into(typing, expr->arg[0], type);
    expr->arg[1] = shift_count(typing, expr->arg[1]);
    return expr->arg[0] && expr->arg[1]
               ? (struct typed){expr, arg[0].natural == TYPE_NONE ? arg[1].natural : arg[0].natural}
               : fault;
}

static struct typed truth(struct expr *expr)
{
    if (expr)
        expr->type = TYPE_I32;
    return (struct typed){expr, TYPE_BOOL};
}

static struct typed type_comparison(struct typing *typing, struct expr *expr)
{
    enum type met;
    struct expr *result = meet(typing, expr, 0, &met);

    for (int k = 0; result && k < 2; k++) {
        result->arg[k] = settle_alone(typing, result->arg[k]);
        if (!result->arg[k])
            return fault;
    }
    return truth(result);
}

static struct typed type_logic(struct typing *typing, struct expr *expr)
{
    for (int k = 0; k < expr->n_arg; k++) {
        expr->arg[k] = settle_operand(typing, expr->arg[k]);
        if (!expr->arg[k])
            return fault;
    }
    return truth(expr);
}

static struct typed type_binary(struct typing *typing, struct expr *expr, const struct typed *arg)
{
    switch (expr->op) {
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
    case OP_EQ:
    case OP_NE:
        return type_comparison(typing, expr);
    case OP_LAND:
    case OP_LOR:
        return type_logic(typing, expr);
    case OP_SHL:
    case OP_SHR:
        return type_shift(typing, expr, arg);
    default:
        return type_arithmetic(typing, expr, wider(arg[0].natural, arg[1].natural));
    }
}

static struct typed type_unary(struct typing *typing, struct expr *expr, const struct typed *arg)
{
    if (expr->op == OP_LNOT)
        return type_logic(typing, expr);
    if (expr->op == OP_NOT && !refuse_float(typing, expr, expr->arg[0], "~"))
        return fault;
    if (expr_is_flexible(expr->arg[0]) && expr_is_literal(expr->arg[0]))
        return (struct typed){literal_fold(typing->arena, typing->diags, expr), TYPE_NONE};
    if (expr_is_flexible(expr->arg[0]))
        return (struct typed){expr, TYPE_NONE};
    expr->arg[0] = settle_operand(typing, expr->arg[0]);
    expr->type = expr->arg[0]->type;
    return (struct typed){expr, arg[0].natural};
}

static struct typed type_select(struct typing *typing, struct expr *expr, const struct typed *arg)
{
    enum type met;

    expr->arg[0] = settle_operand(typing, expr->arg[0]);
    if (!expr->arg[0])
        return fault;
    if (!expr_is_flexible(expr->arg[1]) || !expr_is_flexible(expr->arg[2]))
        expr = meet(typing, expr, 1, &met);
    return (struct typed){expr, wider(arg[1].natural, arg[2].natural)};
}

static struct typed type_cast(struct typing *typing, const struct expr *expr, const struct typed *arg)
{
    struct expr *value = arg[0].expr;
    const bool name = value->kind == EXPR_PARAM || value->kind == EXPR_LOOP;
    const bool real_to_integer = expr_is_real(value) && !type_is_float(expr->type);

    if (expr_is_flexible(value) && !real_to_integer && (expr_is_literal(value) || name))
        return (struct typed){settle(typing, value, expr->type), expr->type};
    if (real_to_integer && expr_is_literal(value) && !literal_check_whole(typing->diags, value, expr->type))
        return fault;
    value = settle_alone(typing, value);
    if (!value)
        return fault;
    if (value->type != expr->type) {
        value = typing_convert(typing, value, expr->type);
        value->implicit = expr->implicit;
        value->place = expr->place;
    }
    return (struct typed){value, expr->type};
}

static bool require_float(struct typing *typing, const struct expr *expr, const struct expr *arg)
{
    if (type_is_float(arg->type))
        return true;
    diag_hint(typing->diags,
              diag_error(typing->diags, "type", arg->place, "`%s` needs a floating-point value",
                         function_name(expr->function)),
              "write a cast, such as f64(x)");
    return false;
}

/* Functions of one argument and their natural type. */
static struct typed type_call_one(struct typing *typing, struct expr *expr, const struct typed *arg)
{
    const bool any = expr->function == FUNCTION_ABS || expr->function == FUNCTION_RELU;

    if (any && expr_is_flexible(expr->arg[0]) && !expr_is_real(expr->arg[0]))
        return (struct typed){expr, TYPE_NONE};
    expr->arg[0] = settle_operand(typing, expr->arg[0]);
    if (!expr->arg[0] || (!any && !require_float(typing, expr, expr->arg[0])))
        return fault;
    expr->type = expr->arg[0]->type;
    return (struct typed){expr, arg[0].natural};
}

static struct typed type_call_two(struct typing *typing, struct expr *expr, const struct typed *arg)
{
    enum type met;
    struct expr *result = meet(typing, expr, 0, &met);

    if (!result)
        return fault;
    if (function_is_library(expr->function) &&
        !require_float(typing, expr, expr_is_flexible(result) ? expr->arg[0] : result))
        return fault;
    return (struct typed){result, wider(arg[0].natural, arg[1].natural)};
}

static struct typed type_fma(struct typing *typing, struct expr *expr, const struct typed *arg)
{
    enum type type = TYPE_NONE, natural = TYPE_NONE;

    for (int k = 0; k < 3; k++) {
        const enum type own = type_promote(expr->arg[k]->type);

        if (own != TYPE_NONE)
            type = type == TYPE_NONE ? own : common_type(type, own);
        natural = wider(natural, arg[k].natural);
    }
    expr->type = type == TYPE_NONE ? TYPE_F64 : type;
    if (!require_float(typing, expr, expr))
        return fault;
    for (int k = 0; k < 3; k++) {
        expr->arg[k] = into(typing, expr->arg[k], expr->type);
        if (!expr->arg[k])
            return fault;
    }
    return (struct typed){expr, natural};
}

/* What calls of functions take, and give in the type that the expression has. */
static struct typed type_opaque(struct typing *typing, struct expr *expr, enum type type)
{
    for (int k = 0; k < expr->n_arg; k++) {
        expr->arg[k] = settle_operand(typing, expr->arg[k]);
        if (!expr->arg[k])
            return fault;
    }
    expr->type = type;
    return (struct typed){expr, type};
}

static struct typed type_call(struct typing *typing, struct expr *expr, const struct typed *arg)
{
    if (expr->function == FUNCTION_MOD) {
        diag_hint(typing->diags,
                  diag_error(typing->diags, "type", expr->place, "mod is for subscripts, bounds and affine conditions"),
                  "in values write %%, which is C's remainder");
        return fault;
    }
    switch (function_arity(expr->function)) {
    case 1:
        return type_call_one(typing, expr, arg);
    case 2:
        return type_call_two(typing, expr, arg);
    default:
        return type_fma(typing, expr, arg);
    }
}

/* Affine subscripts stay exact integers; others are values of an integer type, converted to i64. */
static struct typed type_access(struct typing *typing, const struct expr *expr)
{
    struct expr *access = typing_copy(typing, expr, expr->array->type);
    const char *why = NULL;

    for (int k = 0; k < expr->n_arg; k++) {
        struct expr *subscript;

        if (!expr_affine_obstacle(expr->arg[k], &why))
            continue;
        subscript = type_value(typing, expr->arg[k]).expr;
        if (subscript)
            subscript = settle_alone(typing, subscript);
        if (!subscript || !refuse_float(typing, expr->arg[k], subscript, "[]"))
            return fault;
        access->arg[k] = typing_convert(typing, subscript, TYPE_I64);
    }
    return (struct typed){access, access->type};
}

static struct typed type_by_kind(struct typing *typing, const struct expr *expr, struct expr *typed,
                                 const struct typed *arg)
{
    switch (expr->kind) {
    case EXPR_UNARY:
        return type_unary(typing, typed, arg);
    case EXPR_BINARY:
        return type_binary(typing, typed, arg);
    case EXPR_SELECT:
        return type_select(typing, typed, arg);
    case EXPR_CAST:
        return type_cast(typing, expr, arg);
    default:
        return expr->function == FUNCTION_TAKE || expr->function == FUNCTION_GIVE
                   ? type_opaque(typing, typed, expr->type)
                   : type_call(typing, typed, arg);
    }
}

static struct typed type_operator(struct typing *typing, const struct expr *expr)
{
    struct expr *typed = typing_copy(typing, expr, TYPE_NONE);
    struct typed arg[3] = {fault, fault, fault}, result;

    for (int k = 0; k < expr->n_arg && k < 3; k++) {
        arg[k] = type_value(typing, expr->arg[k]);
        if (!arg[k].expr)
            return fault;
        typed->arg[k] = arg[k].expr;
    }
    result = type_by_kind(typing, expr, typed, arg);
    if (result.expr && result.natural == TYPE_NONE)
        result.natural = result.expr->type;
    return result;
}

static struct typed type_value(struct typing *typing, const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_INT:
    case EXPR_LONG:
    case EXPR_REAL:
    case EXPR_PARAM:
    case EXPR_LOOP:
        return (struct typed){typing_copy(typing, expr, TYPE_NONE), TYPE_NONE};
    case EXPR_SCALAR:
        return (struct typed){typing_copy(typing, expr, expr->scalar->type), expr->scalar->type};
    case EXPR_ACCESS:
        return type_access(typing, expr);
    default:
        return type_operator(typing, expr);
    }
}

/* May a value whose operands are at most natural wide go to an element of type without a cast? */
static bool fits(enum type type, enum type natural, enum type computed)
{
    if (type == TYPE_BOOL)
        return natural == TYPE_BOOL;
    if (type_is_float(computed) && !type_is_float(type))
        return false;
    return type_bits(type) >= type_bits(natural);
}

static bool require_fit(struct typing *typing, const struct expr *value, enum type type, enum type natural)
{
    if (fits(type, natural, value->type))
        return true;
    diag_hint(typing->diags,
              diag_error(typing->diags, "narrowing", value->place, "a value of type %s does not fit %s",
                         type_name(natural), type_name(type)),
              "convert it with %s(..)", type_name(type));
    return false;
}

/* The value of `x op= e` in the type of the operation. */
static struct expr *type_update(struct typing *typing, struct statement *statement, struct typed value)
{
    const enum type type = statement->target->type;
    const bool shift = statement->op == OP_SHL || statement->op == OP_SHR;
    const bool integers = shift || statement->op == OP_AND || statement->op == OP_OR || statement->op == OP_XOR;

    if (integers && (!refuse_float(typing, statement->value, statement->target, op_symbol(statement->op)) ||
                     !refuse_float(typing, statement->value, value.expr, op_symbol(statement->op))))
        return NULL;
    if (shift)
        return shift_count(typing, value.expr);
    if (expr_is_flexible(value.expr))
        return settle(typing, value.expr, type_promote(type));
    if (!require_fit(typing, value.expr, type, value.natural))
        return NULL;
    return typing_convert(typing, value.expr, common_type(type_promote(type), type_promote(value.expr->type)));
}

static struct expr *type_assigned(struct typing *typing, struct statement *statement, struct typed value)
{
    const enum type type = statement->target->type;

    if (statement->op != OP_NONE)
        return type_update(typing, statement, value);
    if (expr_is_flexible(value.expr))
        return settle(typing, value.expr, type);
    return require_fit(typing, value.expr, type, value.natural) ? typing_convert(typing, value.expr, type) : NULL;
}

bool statement_typed(struct arena *arena, struct diags *diags, struct statement *statement)
{
    struct typing typing = {arena, diags};
    const struct typed target = type_access(&typing, statement->target);
    struct typed value = type_value(&typing, statement->value);

    if (!target.expr || !value.expr)
        return false;
    statement->target = target.expr;
    statement->value = type_assigned(&typing, statement, value);
    return statement->value != NULL;
}

struct expr *condition_typed(struct arena *arena, struct diags *diags, const struct expr *condition)
{
    struct typing typing = {arena, diags};
    struct typed value = type_value(&typing, condition);

    return value.expr ? settle_operand(&typing, value.expr) : NULL;
}

struct expr *conditions_both(struct arena *arena, struct expr *a, struct expr *b)
{
    struct expr *both;

    if (!a || !b)
        return a ? a : b;
    both = ARENA_NEW(arena, struct expr);
    both->kind = EXPR_BINARY;
    both->op = OP_LAND;
    both->type = TYPE_I32;
    both->place = b->place;
    both->arg = ARENA_ARRAY(arena, 2, struct expr *);
    both->arg[0] = a;
    both->arg[1] = b;
    both->n_arg = 2;
    return both;
}
