/* Affine values and typed expressions where a thread is. */
#include "machine.h"

#include "caps/simd.h"
#include "program/program.h"
#include "tree/visit.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct binding *binding_of(struct thread *thread, const struct var *var)
{
    for (const struct binding *at = thread->scope; at && !at->barrier; at = at->outer)
        if (at->var == var)
            return at;
    machine_fault(thread->machine, "`%s` is used where nothing binds it", var->name);
}

/* A proved range is part of what printers rely on. */
static int64_t checked(struct thread *thread, const struct var *var, int64_t value)
{
    const bool known = var->low != 0 || var->high != 0;

    if (var->narrow && (value < INT32_MIN || value > INT32_MAX))
        machine_fault(thread->machine, "`%s` is %" PRId64 ", no int", var->name, value);
    if (var->narrow && known && (value < var->low || value > var->high))
        machine_fault(thread->machine, "`%s` is %" PRId64 ", outside of its range", var->name, value);
    return value;
}

static int64_t variable(struct thread *thread, const struct var *var)
{
    const struct machine *machine = thread->machine;

    for (int k = 0; k < machine->program->n_param; k++)
        if (machine->param_var[k] == var)
            return machine->param[k];
    if (var->position != AXIS_NONE)
        return position_of(thread, var->position);
    return checked(thread, var, binding_of(thread, var)->integer);
}

static int64_t floor_of(struct thread *thread, const struct atom *atom)
{
    const int64_t a = affine_value(thread, atom->arg[0]), b = atom->divisor;

    if (atom->plain && a < 0)
        machine_fault(thread->machine, "a quotient of %" PRId64 " is taken for one of C's", a);
    return a / b - (a % b < 0);
}

static int64_t extreme_of(struct thread *thread, const struct atom *atom)
{
    int64_t best = affine_value(thread, atom->arg[0]);

    for (int k = 1; k < atom->n_arg; k++) {
        const int64_t next = affine_value(thread, atom->arg[k]);
        best = (atom->kind == ATOM_MIN ? next < best : next > best) ? next : best;
    }
    return best;
}

static int64_t atom_value(struct thread *thread, const struct atom *atom)
{
    switch (atom->kind) {
    case ATOM_VAR:
        return variable(thread, atom->var);
    case ATOM_FLOOR:
        return floor_of(thread, atom);
    default:
        return extreme_of(thread, atom);
    }
}

int64_t affine_value(struct thread *thread, const struct affine *affine)
{
    int64_t sum = affine->constant, part;

    for (int k = 0; k < affine->n_term; k++)
        if (__builtin_mul_overflow(affine->term[k].factor, atom_value(thread, affine->term[k].atom), &part) ||
            __builtin_add_overflow(sum, part, &sum))
            machine_fault(thread->machine, "an affine value overflows");
    return sum;
}

bool guard_holds(struct thread *thread, const struct guard *guard)
{
    for (int k = 0; k < guard->n; k++) {
        const int64_t value = affine_value(thread, guard->condition[k].affine);
        if (guard->condition[k].equal ? value != 0 : value < 0)
            return false;
    }
    return true;
}

static struct word literal(const struct tree_expr *expr)
{
    char *end;

    if (expr->type == TYPE_F64)
        return word_real(expr->type, expr->real);
    const float single = strtof(expr->spelling, &end);
    return word_real(expr->type, end == expr->spelling ? expr->real : single);
}

static struct word scalar_value(struct thread *thread, const struct tree_expr *expr)
{
    const struct machine *machine = thread->machine;

    for (int k = 0; k < machine->program->n_scalar; k++)
        if (strcmp(machine->program->scalar[k].name, expr->scalar->name) == 0)
            return word_convert(machine->scalar[k], expr->type);
    machine_fault(thread->machine, "there is no scalar %s", expr->scalar->name);
}

/* Neighbours, as their bytes. */
static struct word loaded_group(struct thread *thread, const struct tree_expr *expr, int lane)
{
    const int size = word_size(expr->element.array->type), n = (int)expr->integer * size;
    const struct space *memory;
    const int64_t position = element_position(thread, &expr->element, lane, (int)expr->integer, &memory);
    struct word group = {.type = TYPE_NONE};

    if (n > 8)
        machine_fault(thread->machine, "%d neighbours are no value", (int)expr->integer);
    memcpy(&group.integer, space_bytes(thread, memory, position, n), (size_t)n);
    return group;
}

static struct word loaded(struct thread *thread, const struct tree_expr *expr, int lane)
{
    struct element element = expr->element;
    const struct space *memory;

    if (expr->integer > 0)
        return loaded_group(thread, expr, lane);
    if (expr->n_arg > 0)
        element.distance = expr->arg[0];
    const int64_t position = element_position(thread, &element, lane, 0, &memory);
    if (element.parts > 0) /* the others of the group are loaded, too */
        space_bytes(thread, memory, position - element.part, element.parts * word_size(memory->array->type));
    return word_convert(space_read(thread, memory, position), expr->type);
}

/* The same for all lanes: no lane stores before all have their values. */
static struct word loaded_for_all(struct thread *thread, const struct tree_expr *expr)
{
    bool found;
    struct remembered *at = remember(thread, expr, &found);

    if (!found)
        at->word = loaded(thread, expr, NOT_IN_LANES);
    return at->word;
}

/* What a LET calls var: in lanes its own one. */
static struct word named(struct thread *thread, const struct tree_expr *expr, int lane)
{
    const struct binding *binding = binding_of(thread, expr->var);

    if (!binding->lane)
        machine_fault(thread->machine, "`%s` has no value", expr->var->name);
    if (binding->lanes == 0)
        return binding->lane[0];
    if (lane < 0)
        machine_fault(thread->machine, "the vector `%s` is used as one value", expr->var->name);
    return vector_of(thread, expr->var, expr->affine, binding->lanes)[lane];
}

static struct word ramp(struct thread *thread, const struct tree_expr *expr, int lane)
{
    if (lane < 0)
        machine_fault(thread->machine, "lanes are numbered outside of vectors");
    return word_integer(expr->type,
                        expr->list ? expr->list[lane] : affine_value(thread, expr->affine) + expr->integer * lane);
}

static struct word total(struct thread *thread, const struct tree_expr *expr)
{
    const struct word *lane = vector_of(thread, expr->var, expr->affine, (int)expr->integer);
    struct word sum = lane[0];

    for (int k = 1; k < expr->integer; k++)
        sum = word_binary(expr->op, sum, lane[k]);
    return word_convert(sum, expr->type);
}

static struct word any_lane(struct thread *thread, const struct tree_expr *expr)
{
    bool any = false;

    for (int k = 0; k < expr->integer; k++)
        any = any || word_true(value_of(thread, expr->arg[0], k));
    return word_integer(TYPE_BOOL, any);
}

/* One lane of a sum of products of neighbours. */
static struct word dot(struct thread *thread, const struct tree_expr *expr, int lane)
{
    const enum type type[] = {expr->dot->a, expr->dot->b};
    const struct word group[] = {value_of(thread, expr->arg[0], lane), value_of(thread, expr->arg[1], lane)};
    struct word sum = word_convert(word_integer(TYPE_I32, 0), expr->dot->sum);

    for (int g = 0; g < expr->dot->depth; g++) {
        struct word side[2];
        for (int k = 0; k < 2; k++)
            side[k] = word_convert(word_load(type[k], (const char *)&group[k].integer + g * word_size(type[k])),
                                   expr->dot->sum);
        sum = word_binary(OP_ADD, sum, word_binary(OP_MUL, side[0], side[1]));
    }
    return sum;
}

/* The second operand of && and || and the other side of a choice are not looked at. */
static struct word chosen(struct thread *thread, const struct tree_expr *expr, int lane)
{
    const bool first = word_true(value_of(thread, expr->arg[0], lane));

    if (expr->kind == TREE_SELECT)
        return word_convert(value_of(thread, expr->arg[first ? 1 : 2], lane), expr->type);
    if (first == (expr->op == OP_LOR))
        return word_integer(TYPE_BOOL, first);
    return word_convert(value_of(thread, expr->arg[1], lane), TYPE_BOOL);
}

/* Masks have no type. */
static struct word typed(const struct tree_expr *expr, struct word value)
{
    return expr->type == TYPE_NONE ? value : word_convert(value, expr->type);
}

static struct word operation(struct thread *thread, const struct tree_expr *expr, int lane)
{
    const bool is_shift = expr->op == OP_SHL || expr->op == OP_SHR;
    struct word a = value_of(thread, expr->arg[0], lane);
    const struct word b = value_of(thread, expr->arg[1], lane);

    if (is_shift)
        a = word_convert(a, expr->type);
    return typed(expr, word_binary(expr->op, a, b));
}

static struct word call(struct thread *thread, const struct tree_expr *expr, int lane)
{
    const enum type type = expr->function == FUNCTION_MOD || (expr->function == FUNCTION_FLOOR && expr->n_arg == 2)
                               ? TYPE_I64
                               : expr->type;
    struct word arg[3] = {{0}};

    for (int k = 0; k < expr->n_arg && k < 3; k++) {
        arg[k] = value_of(thread, expr->arg[k], lane);
        if (expr->function != FUNCTION_TAKE && expr->function != FUNCTION_GIVE)
            arg[k] = word_convert(arg[k], type);
    }
    return word_convert(word_call(expr->function, type, arg), expr->type);
}

struct word value_of(struct thread *thread, const struct tree_expr *expr, int lane)
{
    switch (expr->kind) {
    case TREE_INT:
        return type_is_float(expr->type) ? word_real(expr->type, (double)expr->integer)
                                         : word_integer(expr->type, expr->integer);
    case TREE_REAL:
        return literal(expr);
    case TREE_INDEX:
        return word_convert(word_integer(TYPE_I64, affine_value(thread, expr->affine)), expr->type);
    case TREE_SCALAR:
        return scalar_value(thread, expr);
    case TREE_LOAD:
        return expr->element.lane_step || lane < 0 ? loaded(thread, expr, lane) : loaded_for_all(thread, expr);
    case TREE_DOT:
        return dot(thread, expr, lane);
    case TREE_NAMED:
        return named(thread, expr, lane);
    case TREE_RAMP:
        return ramp(thread, expr, lane);
    case TREE_MASK:
        return word_integer(TYPE_BOOL, lane < (lane < 0 ? affine_value(thread, expr->affine)
                                                        : value_in_lanes(thread, expr->affine)));
    case TREE_ANY:
        return any_lane(thread, expr);
    case TREE_TOTAL:
        return total(thread, expr);
    case TREE_UNARY:
        return typed(expr, word_unary(expr->op, value_of(thread, expr->arg[0], lane)));
    case TREE_BINARY:
        return expr->op == OP_LAND || expr->op == OP_LOR ? chosen(thread, expr, lane) : operation(thread, expr, lane);
    case TREE_SELECT:
        return chosen(thread, expr, lane);
    case TREE_CAST:
        return word_convert(value_of(thread, expr->arg[0], lane), expr->type);
    case TREE_CALL:
        return call(thread, expr, lane);
    default:
        machine_fault(thread->machine, "an expression of unknown kind");
    }
}
