/* Numbers and terms of expressions, where a thread is. */
#include "lower/flow/flow_tree.h"

#include "caps/simd.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct algebra *algebra_of(const struct thread *thread)
{
    return &thread->run->flow->algebra;
}

static int64_t variable(struct thread *thread, const struct var *var)
{
    if (var->position != AXIS_NONE)
        return thread->position[var->position];
    return thread->binding[var->id].integer;
}

static int64_t atom_value(struct thread *thread, const struct atom *atom)
{
    int64_t value;

    if (atom->kind == ATOM_VAR)
        return variable(thread, atom->var);
    value = flow_affine(thread, atom->arg[0]);
    if (atom->kind == ATOM_FLOOR && atom->plain && value < 0)
        flow_end(thread->run->flow, FLOW_WRONG, "a quotient of %" PRId64 " is taken for one of C's", value);
    if (atom->kind == ATOM_FLOOR)
        return floor_div(value, atom->divisor);
    for (int k = 1; k < atom->n_arg; k++) {
        const int64_t next = flow_affine(thread, atom->arg[k]);
        value = (atom->kind == ATOM_MIN) == (next < value) ? next : value;
    }
    return value;
}

int64_t flow_affine(struct thread *thread, const struct affine *affine)
{
    uint64_t sum = (uint64_t)affine->constant;

    for (int k = 0; k < affine->n_term; k++)
        sum += (uint64_t)affine->term[k].factor * (uint64_t)atom_value(thread, affine->term[k].atom);
    return (int64_t)sum;
}

bool flow_guard(struct thread *thread, const struct guard *guard)
{
    for (int k = 0; k < guard->n; k++) {
        const int64_t value = flow_affine(thread, guard->condition[k].affine);
        if (guard->condition[k].equal ? value != 0 : value < 0)
            return false;
    }
    return true;
}

static int64_t known(struct thread *thread, struct term term)
{
    if (term.kind == TERM_POISON)
        flow_end(thread->run->flow, FLOW_WRONG, "a subscript is of values that were never written");
    else if (term.kind != TERM_NUMBER)
        flow_end(thread->run->flow, FLOW_DECLINED, "a subscript that is computed of data");
    return term.kind == TERM_NUMBER ? (int64_t)term.hash : 0;
}

static int64_t subscript(struct thread *thread, const struct element *element, int k, int lane)
{
    const int n = element->array->n_dim;
    const bool listed =
        lane >= 0 && element->lane_step == LANES_APART && !element->distance && element->n_lane_index > 0;

    if (!element->index || !element->index[k])
        return known(thread, flow_value(thread, element->indirect[k], lane));
    return flow_affine(thread, listed ? element->lane_index[lane * n + k] : element->index[k]);
}

static int64_t distance_of(struct thread *thread, const struct element *element, const struct space *space, int lane,
                           int neighbours)
{
    int64_t distance = 0;

    if (element->lane_step != LANES_APART)
        return lane * element->lane_step * (neighbours > 0 ? neighbours : 1);
    if (element->distance)
        return known(thread, flow_value(thread, element->distance, lane));
    for (int k = 0; element->lane_factor && element->n_lane_index == 0 && k < element->array->n_dim; k++)
        distance += lane * element->lane_factor[k] * space->stride[k];
    return distance;
}

int64_t flow_position(struct thread *thread, const struct element *element, int lane, int neighbours,
                      struct space **space)
{
    const struct binding *base = element->base ? &thread->binding[element->base->id] : NULL;
    int64_t position;

    *space = base ? base->base : thread->space[flow_array(thread->run->flow, element->array)];
    position = base ? base->integer : (*space)->offset;
    for (int k = 0; k < element->array->n_dim; k++)
        position += subscript(thread, element, k, lane) * (*space)->stride[k];
    if (element->array->fragment)
        position += flow_in_fragment(thread, *space);
    if (lane >= 0)
        position += distance_of(thread, element, *space, lane, neighbours) + (element->parts ? element->part : 0);
    return position;
}

static struct term loaded_group(struct thread *thread, const struct tree_expr *expr, int lane)
{
    struct term *group = ARENA_ARRAY(thread->run->flow->arena, expr->integer, struct term);
    struct space *space;
    const int64_t position = flow_position(thread, &expr->element, lane, (int)expr->integer, &space);

    for (int k = 0; k < expr->integer; k++)
        group[k] = flow_load(thread, space, position + k);
    return (struct term){.kind = TERM_GROUP,
                         .type = (unsigned char)expr->element.array->type,
                         .number = (int32_t)expr->integer,
                         .hash = (uint64_t)(uintptr_t)group};
}

/* Members of a group are loaded with all others of it. */
static void check_members(struct thread *thread, const struct element *element, const struct space *space,
                          int64_t position)
{
    const int64_t first = position - element->part;

    if (element->parts > 0 && (first < 0 || first + element->parts > space->n))
        flow_end(thread->run->flow, FLOW_WRONG, "a group of neighbours is loaded that is not all in %s",
                 space->array->name);
}

static struct term loaded(struct thread *thread, const struct tree_expr *expr, int lane)
{
    struct element element = expr->element;
    struct space *space;

    if (expr->integer > 0)
        return loaded_group(thread, expr, lane);
    if (expr->n_arg > 0)
        element.distance = expr->arg[0];
    const int64_t position = flow_position(thread, &element, lane, 0, &space);
    check_members(thread, &element, space, position);
    return flow_load(thread, space, position);
}

struct term *flow_vector(struct thread *thread, const struct var *var, const struct affine *place, int lanes)
{
    const struct binding *binding = &thread->binding[var->id];
    const int64_t number = place ? flow_affine(thread, place) : 0;

    if (!binding->lane || binding->lanes != lanes || number < 0 || number >= binding->registers) {
        flow_end(thread->run->flow, FLOW_WRONG, "`%s` has no such vector", var->name);
        return NULL;
    }
    return binding->lane + number * lanes;
}

static struct term named(struct thread *thread, const struct tree_expr *expr, int lane)
{
    const struct binding *binding = &thread->binding[expr->var->id];
    const struct term *vector;

    if (binding->lane && binding->lanes == 0)
        return binding->lane[0];
    if (!binding->lane || lane < 0) {
        flow_end(thread->run->flow, FLOW_WRONG, "`%s` has no value", expr->var->name);
        return flow_term_poison();
    }
    vector = flow_vector(thread, expr->var, expr->affine, binding->lanes);
    return vector ? vector[lane] : flow_term_poison();
}

static struct term total(struct thread *thread, const struct tree_expr *expr)
{
    const struct term *lane = flow_vector(thread, expr->var, expr->affine, (int)expr->integer);
    struct term sum = lane ? lane[0] : flow_term_poison();

    for (int k = 1; lane && k < expr->integer; k++)
        sum = flow_term_binary(algebra_of(thread), expr->op, type_promote(expr->type), sum, lane[k]);
    return sum;
}

static struct term any_lane(struct thread *thread, const struct tree_expr *expr)
{
    bool any = false;

    for (int k = 0; k < expr->integer && !any; k++)
        any = flow_true(thread, expr->arg[0], k);
    return flow_term_number(any);
}

/* The instruction takes so many neighbours of that type for a factor. */
static bool is_group(struct thread *thread, const struct simd_dot *row, enum type type, struct term factor)
{
    if (factor.kind == TERM_GROUP && (factor.type != type || factor.number != row->depth))
        flow_end(thread->run->flow, FLOW_WRONG, "a factor of a dot product is %d neighbours of %s, not %d of %s",
                 factor.number, type_name((enum type)factor.type), row->depth, type_name(type));
    return factor.kind == TERM_GROUP;
}

static struct term dot(struct thread *thread, const struct tree_expr *expr, int lane)
{
    const struct term a = flow_value(thread, expr->arg[0], lane), b = flow_value(thread, expr->arg[1], lane);
    const enum type type = expr->dot->sum;
    struct term sum = flow_term_number(0);

    if (!is_group(thread, expr->dot, expr->dot->a, a) || !is_group(thread, expr->dot, expr->dot->b, b))
        return flow_term_poison();
    for (int k = 0; k < expr->dot->depth; k++) {
        const struct term x = ((const struct term *)(uintptr_t)a.hash)[k],
                          y = ((const struct term *)(uintptr_t)b.hash)[k];
        sum = flow_term_binary(algebra_of(thread), OP_ADD, type, sum,
                               flow_term_binary(algebra_of(thread), OP_MUL, type, x, y));
    }
    return sum;
}

static struct term literal(const struct tree_expr *expr)
{
    char *end;
    const float single = strtof(expr->spelling, &end);

    if (expr->type == TYPE_F64 || end == expr->spelling)
        return flow_term_real(TYPE_F64, expr->real);
    return flow_term_real(TYPE_F32, single);
}

/* The operand that is not needed is not looked at. */
static struct term chosen(struct thread *thread, const struct tree_expr *expr, int lane)
{
    const struct term first = flow_value(thread, expr->arg[0], lane);
    struct term second;

    if (first.kind == TERM_POISON)
        return first;
    if (expr->kind == TREE_SELECT)
        return flow_value(thread, expr->arg[flow_term_true(first) ? 1 : 2], lane);
    if (flow_term_true(first) == (expr->op == OP_LOR))
        return flow_term_number(flow_term_true(first));
    second = flow_value(thread, expr->arg[1], lane);
    return second.kind == TERM_POISON ? second : flow_term_number(flow_term_true(second));
}

static struct term operation(struct thread *thread, const struct tree_expr *expr, int lane)
{
    const struct term a = flow_value(thread, expr->arg[0], lane);

    return flow_term_binary(algebra_of(thread), expr->op, type_promote(expr->type), a,
                            flow_value(thread, expr->arg[1], lane));
}

static struct term call(struct thread *thread, const struct tree_expr *expr, int lane)
{
    struct term arg[3] = {{0}};

    for (int k = 0; k < expr->n_arg && k < 3; k++)
        arg[k] = flow_value(thread, expr->arg[k], lane);
    return flow_term_call(algebra_of(thread), expr->function, type_promote(expr->type), arg, expr->n_arg);
}

static struct term ramp(struct thread *thread, const struct tree_expr *expr, int lane)
{
    return flow_term_number(expr->list ? expr->list[lane < 0 ? 0 : lane]
                                       : flow_affine(thread, expr->affine) + expr->integer * (lane < 0 ? 0 : lane));
}

static struct term raw_value(struct thread *thread, const struct tree_expr *expr, int lane)
{
    switch (expr->kind) {
    case TREE_INT:
        return flow_term_number(expr->integer);
    case TREE_REAL:
        return literal(expr);
    case TREE_INDEX:
        return flow_term_number(flow_affine(thread, expr->affine));
    case TREE_SCALAR:
        return flow_term_leaf(algebra_of(thread), expr->scalar->type, expr->scalar->name, 0);
    case TREE_LOAD:
        return loaded(thread, expr, expr->element.lane_step ? lane : NOT_IN_LANES);
    case TREE_DOT:
        return dot(thread, expr, lane);
    case TREE_NAMED:
        return named(thread, expr, lane);
    case TREE_RAMP:
        return ramp(thread, expr, lane);
    case TREE_MASK:
        return flow_term_number(!expr->affine || lane < flow_affine(thread, expr->affine));
    case TREE_ANY:
        return any_lane(thread, expr);
    case TREE_TOTAL:
        return total(thread, expr);
    case TREE_UNARY:
        return flow_term_unary(expr->op, flow_value(thread, expr->arg[0], lane));
    case TREE_BINARY:
        return expr->op == OP_LAND || expr->op == OP_LOR ? chosen(thread, expr, lane) : operation(thread, expr, lane);
    case TREE_SELECT:
        return chosen(thread, expr, lane);
    case TREE_CAST:
        return flow_value(thread, expr->arg[0], lane);
    case TREE_CALL:
        return call(thread, expr, lane);
    default:
        flow_end(thread->run->flow, FLOW_DECLINED, "an expression of that kind");
        return flow_term_poison();
    }
}

struct term flow_value(struct thread *thread, const struct tree_expr *expr, int lane)
{
    if (!flow_step(thread->run->flow, 1))
        return flow_term_poison();
    return flow_term_convert(algebra_of(thread), expr->type, raw_value(thread, expr, lane));
}

bool flow_true(struct thread *thread, const struct tree_expr *expr, int lane)
{
    const struct term value = flow_value(thread, expr, lane);

    if (value.kind == TERM_POISON)
        flow_end(thread->run->flow, FLOW_WRONG, "a condition is of values that were never written");
    return value.kind != TERM_POISON && flow_term_true(value);
}

struct binding *flow_room(struct thread *thread, const struct var *var, int lanes, int registers)
{
    struct binding *binding = &thread->binding[var->id];
    const int n = (lanes ? lanes : 1) * registers;

    if (!binding->own || binding->room < n) {
        binding->lane = ARENA_ARRAY(thread->run->flow->arena, n, struct term);
        binding->own = true;
        binding->room = n;
    }
    binding->lanes = lanes;
    binding->registers = registers;
    return binding;
}

enum type flow_update_type(const struct node *assign)
{
    const enum type type = assign->value->type;

    return type_promote(type == TYPE_NONE ? assign->target.array->type : type);
}
