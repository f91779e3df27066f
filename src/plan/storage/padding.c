#include "plan/storage/padding.h"

#include "program/permit.h"

struct padding {
    const struct program *program;
    const struct statement *statement;
    isl_set *extra;
};

__isl_give isl_set *padding_written(const struct program *program, const struct array *array)
{
    isl_set *all = isl_set_empty(isl_set_get_space(array->elements));

    for (int s = 0; s < program->n_statement; s++)
        for (int k = 0; k < program->statement[s]->n_access; k++) {
            const struct access *access = &program->statement[s]->access[k];
            if (access->array == array && access->write)
                all = isl_set_union(all, isl_map_range(isl_map_copy(access->map)));
        }
    return all;
}

static const struct access *read_of(const struct statement *statement, const struct expr *expr)
{
    for (int k = 0; k < statement->n_access; k++)
        if (statement->access[k].expr == expr && !statement->access[k].write)
            return &statement->access[k];
    return NULL;
}

static __isl_give isl_set *nowhere(const struct padding *padding)
{
    return isl_set_empty(isl_set_get_space(padding->extra));
}

/* Where an element of padding is read that has its zero still. */
static __isl_give isl_set *zero_element(const struct padding *padding, const struct expr *expr)
{
    const struct access *access = read_of(padding->statement, expr);
    isl_map *map;

    if (!access || access->may || expr->array->role != ROLE_TEMP || !expr->array->init_zero)
        return nowhere(padding);
    map = isl_map_subtract_range(isl_map_copy(access->map), padding_written(padding->program, expr->array));
    return isl_set_intersect(isl_map_domain(map), isl_set_copy(padding->extra));
}

/* Is the value surely zero only where both operands are? */
static bool needs_both(const struct expr *expr)
{
    return expr->kind == EXPR_BINARY &&
           (expr->op == OP_ADD || expr->op == OP_SUB || (expr->op == OP_MUL && type_is_float(expr->type)));
}

/* The instances for which expr is surely zero. */
static __isl_give isl_set *zero_where(const struct padding *padding, const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_INT:
        return expr->integer == 0 ? isl_set_copy(padding->extra) : nowhere(padding);
    case EXPR_REAL:
        return expr->real == 0 ? isl_set_copy(padding->extra) : nowhere(padding);
    case EXPR_ACCESS:
        return zero_element(padding, expr);
    case EXPR_CAST:
        return zero_where(padding, expr->arg[0]);
    case EXPR_UNARY:
        return expr->op == OP_NEG ? zero_where(padding, expr->arg[0]) : nowhere(padding);
    case EXPR_BINARY:
        if (needs_both(expr))
            return isl_set_intersect(zero_where(padding, expr->arg[0]), zero_where(padding, expr->arg[1]));
        if (expr->op == OP_AND || expr->op == OP_MUL)
            return isl_set_union(zero_where(padding, expr->arg[0]), zero_where(padding, expr->arg[1]));
        return nowhere(padding);
    default:
        return nowhere(padding);
    }
}

/* Sums and products of floats are zero where both operands are: each is asked for alone, as isl takes long to intersect
 * two sets of many pieces. */
static bool is_zero(const struct padding *padding, const struct expr *expr)
{
    isl_set *zero;
    bool is;

    if (expr->kind == EXPR_CAST)
        return is_zero(padding, expr->arg[0]);
    if (needs_both(expr))
        return is_zero(padding, expr->arg[0]) && is_zero(padding, expr->arg[1]);
    zero = zero_where(padding, expr);
    is = isl_set_is_subset(padding->extra, zero) == isl_bool_true;
    isl_set_free(zero);
    return is;
}

static bool is_positive(const struct expr *expr)
{
    return expr->kind == EXPR_INT && expr->integer > 0;
}

/* May a op b, of integers of this type, be undefined? */
static bool is_risky(enum expr_op op, enum type type, const struct expr *b)
{
    switch (op) {
    case OP_DIV:
    case OP_MOD:
    case OP_SHR:
        return !is_positive(b);
    case OP_SHL:
        return true;
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_NEG:
        return type_is_signed(type);
    default:
        return false;
    }
}

/* Apart from its operands. */
static bool may_trap(const struct padding *padding, const struct expr *expr)
{
    const bool divides = expr->op == OP_DIV || expr->op == OP_MOD;

    if (expr->kind == EXPR_CAST)
        return !type_is_float(expr->type) && type_is_float(expr->arg[0]->type) && !is_zero(padding, expr->arg[0]);
    if (expr->kind == EXPR_CALL)
        return expr->function == FUNCTION_ABS && !type_is_float(expr->type) && !is_zero(padding, expr->arg[0]);
    if ((expr->kind != EXPR_BINARY && expr->kind != EXPR_UNARY) || type_is_float(expr->type) ||
        !is_risky(expr->op, expr->type, expr->arg[expr->n_arg - 1]))
        return false;
    return divides || !is_zero(padding, expr);
}

static const struct expr *find_trap(const struct padding *padding, const struct expr *expr)
{
    const struct expr *found = NULL;

    for (int k = 0; k < expr->n_arg && !found && expr->kind != EXPR_ACCESS; k++)
        found = find_trap(padding, expr->arg[k]);
    return found ? found : may_trap(padding, expr) ? expr : NULL;
}

const struct expr *padding_trap(const struct program *program, const struct statement *statement,
                                __isl_keep isl_set *extra)
{
    const struct padding padding = {program, statement, extra};
    const struct expr *value = statement->value, *trap = find_trap(&padding, value);
    const enum type type = statement->target->array->type;
    const bool adds = statement->op == OP_ADD || statement->op == OP_SUB;

    if (!trap && statement->guard)
        trap = find_trap(&padding, statement->guard);
    if (trap || statement->op == OP_NONE || type_is_float(type) || type_is_float(value->type) ||
        !is_risky(statement->op, type_promote(type), value))
        return trap;
    return adds && is_zero(&padding, value) ? NULL : value;
}

bool padding_adds_zero(const struct program *program, const struct statement *statement, __isl_keep isl_set *extra)
{
    const struct padding padding = {program, statement, extra};
    const bool permitted = statement_permit(program, statement) & PERMIT_REASSOCIATE;

    if (type_is_float(statement->target->array->type) || type_is_float(statement->value->type))
        return (statement->op == OP_ADD || statement->op == OP_SUB) && permitted && is_zero(&padding, statement->value);
    return (statement->op == OP_ADD || statement->op == OP_SUB || statement->op == OP_OR || statement->op == OP_XOR) &&
           is_zero(&padding, statement->value);
}
