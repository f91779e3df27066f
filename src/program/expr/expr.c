#include "program/expr/expr.h"

#include "program/program.h"
#include "program/storage/view.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

struct op_row {
    const char *symbol;
    int precedence;               /* of the binary operator as in C, 1 = ||; 0: not binary */
    unsigned has;                 /* of enum op_property */
    const char *neutral_spelling; /* of floats: what changes no other operand; NULL: none has it */
    double neutral;
};

enum { PRECEDENCE_SELECT = 0, PRECEDENCE_UNARY = 11 };

/* What holds of an operator besides. */
enum op_property {
    REDUCES = 1,    /* its operands may be regrouped and swapped: exactly, or for floats under `reassociate` */
    MODULAR = 2,    /* the low bits of an integer result depend on those of the operands only */
    GROWS = 4,      /* and an integer result may be larger than both */
    IDEMPOTENT = 8, /* it does not matter how often an operand takes part */
    EXTREME = 16,   /* a minimum or a maximum */
};

static const struct op_row ops[] = {
    [OP_ADD] = {"+", 9, REDUCES | MODULAR | GROWS, "0.0", 0},
    [OP_SUB] = {"-", 9, MODULAR | GROWS, "0.0", 0},
    [OP_MUL] = {"*", 10, REDUCES | MODULAR | GROWS, "1.0", 1},
    [OP_AND] = {"&", 5, REDUCES | MODULAR | IDEMPOTENT, NULL, 0},
    [OP_OR] = {"|", 3, REDUCES | MODULAR | IDEMPOTENT, NULL, 0},
    [OP_XOR] = {"^", 4, REDUCES | MODULAR, NULL, 0},
    [OP_MIN] = {"min", 0, REDUCES | IDEMPOTENT | EXTREME, "INFINITY", HUGE_VAL},
    [OP_MAX] = {"max", 0, REDUCES | IDEMPOTENT | EXTREME, "-INFINITY", -HUGE_VAL},
    [OP_DIV] = {"/", 10, 0, NULL, 0},
    [OP_MOD] = {"%", 10, 0, NULL, 0},
    [OP_SHL] = {"<<", 8, 0, NULL, 0},
    [OP_SHR] = {">>", 8, 0, NULL, 0},
    [OP_LT] = {"<", 7, 0, NULL, 0},
    [OP_LE] = {"<=", 7, 0, NULL, 0},
    [OP_GT] = {">", 7, 0, NULL, 0},
    [OP_GE] = {">=", 7, 0, NULL, 0},
    [OP_EQ] = {"==", 6, 0, NULL, 0},
    [OP_NE] = {"!=", 6, 0, NULL, 0},
    [OP_LAND] = {"&&", 2, 0, NULL, 0},
    [OP_LOR] = {"||", 1, 0, NULL, 0},
    [OP_NEG] = {"-", 0, 0, NULL, 0},
    [OP_NOT] = {"~", 0, 0, NULL, 0},
    [OP_LNOT] = {"!", 0, 0, NULL, 0},
    [OP_NONE] = {"", 0, 0, NULL, 0},
};

struct function_row {
    const char *name;
    int arity;
};

static const struct function_row functions[] = {
#define LIBRARY_ROW(ID, name, arity) [FUNCTION_##ID] = {#name, arity},
    LIBRARY_FUNCTIONS(LIBRARY_ROW)
#undef LIBRARY_ROW
        [FUNCTION_MIN] = {"min", 2},
    [FUNCTION_MAX] = {"max", 2},
    [FUNCTION_ABS] = {"abs", 1},
    [FUNCTION_RELU] = {"relu", 1},
    [FUNCTION_MOD] = {"mod", 2},
    [FUNCTION_TAKE] = {"take", 2},
    [FUNCTION_GIVE] = {"give", 1},
};

const char *op_symbol(enum expr_op op)
{
    return ops[op].symbol;
}

const char *function_name(enum function function)
{
    return functions[function].name;
}

static bool is_among(enum function last, const char *name, enum function *function)
{
    for (int f = FUNCTION_MIN; f <= (int)last; f++)
        if (strcmp(functions[f].name, name) == 0) {
            *function = (enum function)f;
            return true;
        }
    return false;
}

bool function_by_name(const char *name, enum function *function)
{
    return is_among(FUNCTION_MOD, name, function);
}

bool function_by_any_name(const char *name, enum function *function)
{
    return is_among(FUNCTION_GIVE, name, function);
}

int function_arity(enum function function)
{
    return functions[function].arity;
}

bool function_is_library(enum function function)
{
    return function > FUNCTION_RELU && function < FUNCTION_MOD;
}

bool op_is_reduction(enum expr_op op)
{
    return ops[op].has & REDUCES;
}

bool op_is_modular(enum expr_op op)
{
    return ops[op].has & MODULAR;
}

bool op_grows(enum expr_op op)
{
    return ops[op].has & GROWS;
}

bool op_is_idempotent(enum expr_op op)
{
    return ops[op].has & IDEMPOTENT;
}

bool op_is_extreme(enum expr_op op)
{
    return ops[op].has & EXTREME;
}

enum expr_op op_opposite(enum expr_op comparison)
{
    static const enum expr_op opposite[] = {
        [OP_LT] = OP_GE, [OP_LE] = OP_GT, [OP_GT] = OP_LE, [OP_GE] = OP_LT, [OP_EQ] = OP_NE, [OP_NE] = OP_EQ};

    return opposite[comparison];
}

const char *op_neutral_spelling(enum expr_op op)
{
    return ops[op].neutral_spelling;
}

double op_neutral_real(enum expr_op op)
{
    return ops[op].neutral;
}

int64_t op_neutral_integer(enum expr_op op, enum type type)
{
    const bool is_signed = type_is_signed(type);
    const int bits = type_bits(type);
    const int64_t most = is_signed ? INT64_MAX >> (64 - bits) : (int64_t)(UINT64_MAX >> (64 - bits));

    switch (op) {
    case OP_MIN:
        return most;
    case OP_MAX:
        return is_signed ? -most - 1 : 0;
    case OP_AND:
        return is_signed ? -1 : most;
    default:
        return op == OP_MUL;
    }
}

static void print(struct text *out, const struct expr *expr, const char *const *loop_names, int outer);

static void print_list(struct text *out, const struct expr *expr, int first, const char *const *loop_names)
{
    for (int k = first; k < expr->n_arg; k++) {
        if (k > first)
            text_add(out, ", ");
        print(out, expr->arg[k], loop_names, PRECEDENCE_SELECT);
    }
}

/* As the user knows the array: without the iterations that compute_at put in front. */
static void print_access(struct text *out, const struct expr *expr, const char *const *loop_names)
{
    const int first = expr->n_arg == expr->array->n_dim ? expr->array->n_iteration : 0;
    const bool view = view_shows(expr);

    text_add(out, view ? expr->view->name : expr->array->name);
    if (expr->n_arg == first)
        return;
    for (int k = first; k < expr->n_arg; k++) {
        text_add(out, k > first ? ", " : "[");
        print(out, view ? view_subscript(expr, k) : expr->arg[k], loop_names, PRECEDENCE_SELECT);
    }
    text_char(out, ']');
}

static void print_call(struct text *out, const char *name, const struct expr *expr, const char *const *loop_names)
{
    text_add(out, name);
    text_char(out, '(');
    print_list(out, expr, 0, loop_names);
    text_char(out, ')');
}

static int expr_precedence(const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_SELECT:
        return PRECEDENCE_SELECT;
    case EXPR_BINARY:
        return ops[expr->op].precedence;
    case EXPR_UNARY:
        return expr->spelling ? PRECEDENCE_UNARY + 1 : PRECEDENCE_UNARY;
    case EXPR_INT:
    case EXPR_LONG:
    case EXPR_REAL:
        return expr->integer < 0 || expr->real < 0 ? PRECEDENCE_UNARY : PRECEDENCE_UNARY + 1;
    default:
        return PRECEDENCE_UNARY + 1;
    }
}

static void print_operator(struct text *out, const struct expr *expr, const char *const *loop_names)
{
    const int own = expr_precedence(expr);

    switch (expr->kind) {
    case EXPR_UNARY:
        if (expr->spelling) {
            text_add(out, expr->spelling);
            break;
        }
        text_add(out, op_symbol(expr->op));
        print(out, expr->arg[0], loop_names, PRECEDENCE_UNARY + 1);
        break;
    case EXPR_BINARY:
        print(out, expr->arg[0], loop_names, own);
        text_addf(out, " %s ", op_symbol(expr->op));
        print(out, expr->arg[1], loop_names, own + 1);
        break;
    default:
        print(out, expr->arg[0], loop_names, PRECEDENCE_SELECT + 1);
        text_add(out, " ? ");
        print(out, expr->arg[1], loop_names, PRECEDENCE_SELECT + 1);
        text_add(out, " : ");
        print(out, expr->arg[2], loop_names, PRECEDENCE_SELECT);
    }
}

static void print_bare(struct text *out, const struct expr *expr, const char *const *loop_names)
{
    switch (expr->kind) {
    case EXPR_INT:
        text_addf(out, "%" PRId64, expr->integer);
        break;
    case EXPR_LONG:
    case EXPR_REAL:
        text_add(out, expr->spelling);
        break;
    case EXPR_PARAM:
        text_add(out, expr->param->name);
        break;
    case EXPR_LOOP:
        text_add(out, loop_names[expr->loop]);
        break;
    case EXPR_SCALAR:
        text_add(out, expr->scalar->name);
        break;
    case EXPR_ACCESS:
        print_access(out, expr, loop_names);
        break;
    case EXPR_CAST:
        print_call(out, type_name(expr->type), expr, loop_names);
        break;
    case EXPR_CALL:
        print_call(out, function_name(expr->function), expr, loop_names);
        break;
    default:
        print_operator(out, expr, loop_names);
    }
}

/* expr as an operand of something that binds as tightly as outer. */
static void print(struct text *out, const struct expr *expr, const char *const *loop_names, int outer)
{
    const bool parentheses = expr_precedence(expr) < outer;

    if (expr->kind == EXPR_CAST && expr->implicit) {
        print(out, expr->arg[0], loop_names, outer);
        return;
    }
    if (parentheses)
        text_char(out, '(');
    print_bare(out, expr, loop_names);
    if (parentheses)
        text_char(out, ')');
}

/* Apart from their arguments. */
static bool is_same_kind(const struct expr *a, const struct expr *b)
{
    return a->kind == b->kind && a->type == b->type && a->op == b->op && a->function == b->function &&
           a->integer == b->integer && a->param == b->param && a->scalar == b->scalar && a->array == b->array &&
           a->loop == b->loop && a->n_arg == b->n_arg && (a->kind != EXPR_REAL || a->real == b->real);
}

bool expr_equal(const struct expr *a, const struct expr *b)
{
    bool equal = a == b || is_same_kind(a, b);

    for (int k = 0; a != b && equal && k < a->n_arg; k++)
        equal = expr_equal(a->arg[k], b->arg[k]);
    return equal;
}

void expr_print(struct text *out, const struct expr *expr, const char *const *loop_names)
{
    print(out, expr, loop_names, PRECEDENCE_SELECT);
}
