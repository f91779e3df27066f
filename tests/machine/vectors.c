/* Assignments of all lanes at once, and the names of vectors and masks. */
#include "machine.h"

#include "tree/visit.h"

#include <string.h>

static bool is_mask(const struct node *let)
{
    return let->value->kind == TREE_MASK && !let->value->affine;
}

struct word *vector_of(struct thread *thread, const struct var *var, const struct affine *place, int lanes)
{
    const struct binding *binding = binding_of(thread, var);
    const int64_t number = place ? affine_value(thread, place) : 0;

    if (!binding->lane || binding->lanes != lanes)
        machine_fault(thread->machine, "`%s` is no vector of %d lanes", var->name, lanes);
    if (number < 0 || number >= (binding->registers ? binding->registers : 1))
        machine_fault(thread->machine, "`%s` has no vector %d", var->name, (int)number);
    return binding->lane + number * lanes;
}

struct remembered *remember(struct thread *thread, const void *of, bool *found)
{
    struct remembered *at = &thread->remembered[(uintptr_t)of / 16 % MACHINE_REMEMBERED];

    *found = at->of == of && at->statement == thread->statement;
    at->of = of;
    at->statement = thread->statement;
    return at;
}

int64_t value_in_lanes(struct thread *thread, const struct affine *affine)
{
    bool found;
    struct remembered *at = remember(thread, affine, &found);

    if (!found)
        at->integer = affine_value(thread, affine);
    return at->integer;
}

/* Is the lane active, by what the node itself says? A name for the mask must say the same. */
static bool is_counted(struct thread *thread, const struct vector *vector, const struct affine *count, int lane)
{
    const bool counted = !count || lane < value_in_lanes(thread, count);

    if (vector->mask && word_true(vector_of(thread, vector->mask, vector->mask_place, vector->lanes)[lane]) != counted)
        machine_fault(thread->machine, "the mask `%s` is not that of the count", vector->mask->name);
    return counted;
}

static bool is_active(struct thread *thread, const struct vector *vector, const struct affine *count, int lane)
{
    return is_counted(thread, vector, count, lane) &&
           (!vector->active || word_true(value_of(thread, vector->active, lane)));
}

/* Do the lanes have different subscripts there? */
static bool moves(const struct element *element, int dim)
{
    return element->lane_factor && element->lane_factor[dim] != 0;
}

/* Is the subscript kept within the array by a minimum or maximum? */
static bool is_limited(const struct affine *index)
{
    for (int k = 0; k < index->n_term; k++)
        if (index->term[k].atom->kind == ATOM_MIN || index->term[k].atom->kind == ATOM_MAX)
            return true;
    return false;
}

/* Where the lanes' elements are counted from has to be an address of the array, or the one behind it, where
 * something keeps it there. */
static void check_address(struct thread *thread, const struct element *element)
{
    const struct space *memory;
    bool known = element->lane_step != 0 && !element->distance && element->n_lane_index == 0 && element->index &&
                 !element->array->in_registers && !element->array->fragment;
    bool limited = false;

    for (int k = 0; known && k < element->array->n_dim; k++) {
        known = element->index[k] != NULL;
        limited = limited || (known && moves(element, k) && is_limited(element->index[k]));
    }
    if (!known || !limited)
        return;
    const int64_t position = element_position(thread, element, NOT_IN_LANES, 0, &memory);
    if (position < 0 || position > memory->n)
        machine_fault(thread->machine, "%s has no address for lanes that are all off", memory->array->name);
}

static void check_load(const struct tree_expr *expr, void *user)
{
    if (expr->kind == TREE_LOAD)
        check_address(user, &expr->element);
}

/* Lanes that are all off touch nothing, but what is written for them is an address. */
static void check_addresses(struct thread *thread, const struct node *node, const struct affine *count)
{
    if (!count || affine_value(thread, count) > 0)
        return;
    tree_expr_for_each(node->value, check_load, thread);
    tree_expr_for_each(node->guard_value, check_load, thread);
    if (node->kind == NODE_ASSIGN && !node->vector->sum)
        check_address(thread, &node->target);
}

static void find_lane_load(const struct tree_expr *expr, void *user)
{
    *(bool *)user |= expr->kind == TREE_LOAD && expr->element.lane_step != 0;
}

/* Does the value depend on which lanes are active? Only loads do. */
static bool loads_lanes(const struct tree_expr *expr)
{
    bool loads = false;

    tree_expr_for_each(expr, find_lane_load, &loads);
    return loads;
}

/* The value that lane k of the name starts with. */
static struct word first_value(struct thread *thread, const struct node *let, const struct affine *count, int k)
{
    const struct vector *vector = let->vector;
    const enum type type = vector->truth != TYPE_NONE || is_mask(let) ? TYPE_BOOL : let->value->type;
    const bool active = (!is_mask(let) && !loads_lanes(let->value)) || is_active(thread, vector, count, k);

    if (is_mask(let))
        return word_integer(TYPE_BOOL, active);
    return active ? word_convert(value_of(thread, let->value, k), type) : word_poison(type);
}

void run_vector_let(struct thread *thread, const struct node *let)
{
    const struct vector *vector = let->vector;
    const int n = vector->registers ? vector->registers : 1;
    struct word *lane = thread_alloc(thread, (size_t)(n * vector->lanes) * sizeof(*lane));

    if (vector->lanes > MACHINE_LANES)
        machine_fault(thread->machine, "too many lanes");
    thread->statement++;
    for (int k = 0; k < n * vector->lanes; k++) {
        const struct affine *count = vector->each ? vector->each[k / vector->lanes] : vector->count;
        if (k % vector->lanes == 0)
            check_addresses(thread, let, count);
        lane[k] = first_value(thread, let, count, k % vector->lanes);
    }
    struct binding *binding = bind(thread, let->var);
    binding->lane = lane;
    binding->lanes = vector->lanes;
    binding->registers = vector->registers;
}

/* Where a lane of the target is: in the vector of a name, or in memory. */
struct slot {
    struct word *lane;
    const struct space *memory;
    int64_t position;
};

static struct slot place_of(struct thread *thread, const struct node *assign, int lane)
{
    const struct vector *vector = assign->vector;
    struct slot place = {0};

    if (vector->sum)
        place.lane = vector_of(thread, vector->sum, vector->place, vector->lanes) + lane;
    else
        place.position = element_position(thread, &assign->target, lane, 0, &place.memory);
    return place;
}

static struct word value_at(struct thread *thread, const struct slot *place)
{
    return place->lane ? *place->lane : space_read(thread, place->memory, place->position);
}

static void store_at(struct thread *thread, const struct slot *place, struct word value)
{
    if (place->lane)
        *place->lane = word_convert(value, place->lane->type);
    else
        space_write(thread, place->memory, place->position, value);
}

static struct word updated(struct thread *thread, const struct node *assign, const struct slot *place, int lane)
{
    const enum type type = assign->target.array->type;
    struct word value = value_of(thread, assign->value, lane);

    if (assign->op != OP_NONE)
        value = word_binary(assign->op, value_at(thread, place), value);
    return word_convert(value, type);
}

/* In registers the lanes that are not active, or in those of arrays not counted, may get anything where nothing looks
 * at them. */
static bool is_spoilt(struct thread *thread, const struct node *assign, int lane)
{
    const struct vector *vector = assign->vector;

    if (!vector->loose)
        return false;
    if (vector->sum)
        return !assign->guard_value;
    return assign->target.array->in_registers && assign->target.lane_step == 1 &&
           !is_counted(thread, vector, vector->count, lane);
}

/* Whole groups of neighbours: each member has a value of its own. */
static void store_parts(struct thread *thread, const struct node *assign)
{
    const int lanes = assign->vector->lanes, parts = assign->target.parts;
    struct word value[4 * MACHINE_LANES];
    const struct space *memory;

    if (assign->value->kind != TREE_PARTS || assign->value->n_arg != parts || parts > 4)
        machine_fault(thread->machine, "a group without its members");
    for (int k = 0; k < lanes * parts; k++)
        value[k] = value_of(thread, assign->value->arg[k % parts], k / parts);
    for (int k = 0; k < lanes * parts; k++) {
        struct element element = assign->target;
        element.part = k % parts;
        const int64_t position = element_position(thread, &element, k / parts, 0, &memory);
        space_write(thread, memory, position, value[k]);
    }
}

/* All lanes are read before the first one is stored. */
void run_vector_assign(struct thread *thread, const struct node *assign)
{
    const struct vector *vector = assign->vector;
    struct word value[MACHINE_LANES];
    struct slot place[MACHINE_LANES];
    bool stored[MACHINE_LANES];

    if (vector->lanes > MACHINE_LANES)
        machine_fault(thread->machine, "too many lanes");
    thread->statement++;
    if (assign->target.parts) {
        store_parts(thread, assign);
        return;
    }
    check_addresses(thread, assign, vector->count);
    for (int k = 0; k < vector->lanes; k++) {
        const bool active = is_active(thread, vector, vector->count, k);
        stored[k] = active || is_spoilt(thread, assign, k);
        if (stored[k])
            place[k] = place_of(thread, assign, k);
        value[k] = active ? updated(thread, assign, &place[k], k) : word_poison(assign->target.array->type);
        if (active && assign->guard_value)
            stored[k] = word_true(value_of(thread, assign->guard_value, k));
    }
    for (int k = 0; k < vector->lanes; k++)
        if (stored[k])
            store_at(thread, &place[k], value[k]);
}
