/* Matrix instructions of a device: a warp computes whole tiles, of which each of its threads holds some elements.
 *
 * Which thread holds which element nobody may depend on: here element number e of a tile, by rows, is held by lane e %
 * 32, and what the other lanes have at its place is never looked at. All lanes come to an instruction before it is
 * done. */
#include "machine.h"

#include "tree/visit.h"

#include <math.h>

enum { WARP = 32, ROW_BYTES = 16, POINTER_BYTES = 32 };

/* A tile that an instruction reads or writes: in the threads' fragments, or in memory. */
struct operand {
    struct thread *lane; /* of the warp, the first */
    const struct element *element;
    const struct tensor_tile *tile; /* in memory; NULL: in fragments */
    enum type type;
    int rows, columns;
    const struct space *memory; /* of the tile, and where it starts there */
    int64_t position, distance;
};

static const struct tree_expr *without_casts(const struct tree_expr *expr)
{
    while (expr->kind == TREE_CAST)
        expr = expr->arg[0];
    return expr;
}

/* Its place in memory, as this thread sees it. */
static void find_place(struct operand *operand, struct thread *thread)
{
    operand->position = element_position(thread, operand->element, NOT_IN_LANES, 0, &operand->memory);
    operand->distance = affine_value(thread, operand->tile->distance);
}

/* The threads of a warp must give one place, and one that the instruction can take. */
static void check_place(const struct operand *operand)
{
    struct thread *first = operand->lane;
    const int64_t size = word_size(operand->type);

    for (int k = 1; k < WARP; k++) {
        struct operand other = *operand;
        find_place(&other, &operand->lane[k]);
        if (other.memory->byte != operand->memory->byte || other.position != operand->position ||
            other.distance != operand->distance)
            machine_fault(first->machine, "the threads of a warp give different tiles of %s",
                          operand->element->array->name);
    }
    if (operand->position * size % POINTER_BYTES || operand->distance * size % ROW_BYTES)
        machine_fault(first->machine, "a tile of %s does not start where matrix instructions can take it",
                      operand->element->array->name);
}

static struct operand operand_of(struct thread *lane, const struct element *element, const struct tensor_tile *tile,
                                 const struct tensor *tensor, enum fragment_use use)
{
    const struct fragment *fragment = element->array->fragment;
    struct operand operand = {.lane = lane,
                              .element = element,
                              .tile = fragment ? NULL : tile,
                              .type = element->array->type,
                              .rows = use == FRAGMENT_COLUMNS ? tensor->k : tensor->m,
                              .columns = use == FRAGMENT_ROWS ? tensor->k : tensor->n};

    if (fragment &&
        (fragment->use != use || fragment->m != tensor->m || fragment->n != tensor->n || fragment->k != tensor->k))
        machine_fault(lane->machine, "%s holds another kind of tiles", element->array->name);
    if (operand.tile) {
        find_place(&operand, lane);
        check_place(&operand);
    }
    return operand;
}

/* Where element number `number` is, by rows, and whose it is. */
static int64_t place_of(const struct operand *operand, int number, struct thread **owner, const struct space **memory)
{
    const int row = number / operand->columns, column = number % operand->columns;

    *owner = &operand->lane[operand->tile ? 0 : number % WARP];
    *memory = operand->memory;
    if (!operand->tile)
        return element_position(*owner, operand->element, NOT_IN_LANES, 0, memory) + number;
    return operand->position +
           (operand->tile->by_columns ? column * operand->distance + row : row * operand->distance + column);
}

static struct word get(const struct operand *operand, int number)
{
    const struct space *memory;
    struct thread *owner;
    const int64_t position = place_of(operand, number, &owner, &memory);

    return space_read(owner, memory, position);
}

static void set(const struct operand *operand, int number, struct word value)
{
    const struct space *memory;
    struct thread *owner;
    const int64_t position = place_of(operand, number, &owner, &memory);

    space_write(owner, memory, position, value);
}

static void copy_tile(struct thread *lane, const struct node *assign)
{
    const struct element *value = &without_casts(assign->value)->element;
    const bool loads = assign->tensor->kind == TENSOR_LOAD;
    const struct fragment *fragment = (loads ? &assign->target : value)->array->fragment;
    const struct tensor_tile *tile = &assign->tensor->tile[0];

    if (!fragment || (fragment->use != FRAGMENT_SUMS && fragment->by_columns != tile->by_columns))
        machine_fault(lane->machine, "%s holds no tiles like that in memory", assign->target.array->name);
    const struct operand from = operand_of(lane, value, tile, assign->tensor, fragment->use);
    const struct operand to = operand_of(lane, &assign->target, tile, assign->tensor, fragment->use);
    for (int k = 0; k < from.rows * from.columns; k++)
        set(&to, k, get(&from, k));
}

/* A factor of f32 has 11 bits in the instruction. */
static struct word factor_value(const struct operand *factor, int number, enum type sum)
{
    const struct word value = get(factor, number);
    int exponent;

    if (factor->type != TYPE_F32)
        return word_convert(value, sum);
    const double fraction = frexp(value.real, &exponent);
    return word_real(sum, isfinite(fraction) ? ldexp(round(fraction * 2048), exponent - 11) : value.real);
}

static void multiply(struct thread *lane, const struct node *assign)
{
    const struct tensor *tensor = assign->tensor;
    const struct tree_expr *product = node_added(assign);
    const enum type type = assign->target.array->type;
    const struct operand sums = operand_of(lane, &assign->target, NULL, tensor, FRAGMENT_SUMS);
    const struct operand a = operand_of(lane, &without_casts(product->arg[tensor->swapped])->element, &tensor->tile[0],
                                        tensor, FRAGMENT_ROWS);
    const struct operand b = operand_of(lane, &without_casts(product->arg[!tensor->swapped])->element, &tensor->tile[1],
                                        tensor, FRAGMENT_COLUMNS);

    for (int k = 0; k < tensor->m * tensor->n; k++) {
        struct word sum = get(&sums, k);
        for (int q = 0; q < tensor->k; q++)
            sum = word_binary(OP_ADD, sum,
                              word_binary(OP_MUL, factor_value(&a, k / tensor->n * tensor->k + q, type),
                                          factor_value(&b, q * tensor->n + k % tensor->n, type)));
        set(&sums, k, sum);
    }
}

/* One value for all that the lane has of the target's tile. */
static void fill_own(struct thread *thread, const struct node *assign)
{
    const struct word value = value_of(thread, assign->value, NOT_IN_LANES);
    const int n = assign->tensor->m * assign->tensor->n;
    const struct space *memory;
    const int64_t position = element_position(thread, &assign->target, NOT_IN_LANES, 0, &memory);

    if (assign->op != OP_NONE)
        machine_fault(thread->machine, "a tile is updated by one value");
    for (int k = thread->number % WARP; k < n; k += WARP)
        space_write(thread, memory, position + k, value);
}

/* What one lane has of the target's tile, element by element. */
static void map_own(struct thread *thread, const struct node *assign)
{
    const struct element *target = &assign->target;
    const int n = assign->tensor->m * assign->tensor->n;

    for (thread->place_in_tile = thread->number % WARP; thread->place_in_tile < n; thread->place_in_tile += WARP) {
        const struct space *memory;
        const int64_t position = element_position(thread, target, NOT_IN_LANES, 0, &memory);
        struct word value = value_of(thread, assign->value, NOT_IN_LANES);
        if (assign->op != OP_NONE)
            value = word_binary(assign->op, space_read(thread, memory, position), value);
        space_write(thread, memory, position, value);
    }
    thread->place_in_tile = 0;
}

void warp_tensor(struct thread *lane, int n_lane, const struct node *assign)
{
    if (n_lane != WARP)
        machine_fault(lane->machine, "a matrix instruction of a part of a warp");
    if (assign->tensor->kind == TENSOR_MULTIPLY)
        multiply(lane, assign);
    else
        copy_tile(lane, assign);
}

void run_tensor(struct thread *thread, const struct node *assign)
{
    if (assign->tensor->kind == TENSOR_FILL)
        fill_own(thread, assign);
    else if (assign->tensor->kind == TENSOR_MAP)
        map_own(thread, assign);
    else
        wait_for(thread, WAIT_FOR_WARP, assign);
}
