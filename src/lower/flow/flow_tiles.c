/* Registers that hold tiles: rows of elements, multiplied in groups of neighbours. */
#include "lower/flow/flow_tree.h"

#include "caps/simd.h"
#include "tree/visit.h"

#include <string.h>

static int bytes_of(enum type type)
{
    return type_bits(type) / 8;
}

/* NULL: the run has ended. */
static struct tile_register *register_of(struct thread *thread, const struct tile_place *place)
{
    if (!thread->tile || !thread->shape || place->number >= thread->shape->n) {
        flow_end(thread->run->flow, FLOW_WRONG, "tile register %d has no shape", place->number);
        return NULL;
    }
    return &thread->tile[place->number];
}

/* The least of what the shape has and what there is of a part; nothing where that is negative. */
static int part_of(struct thread *thread, const struct affine *part, int all)
{
    const int64_t some = part ? flow_affine(thread, part) : all;

    return some < 0 ? 0 : some < all ? (int)some : all;
}

static void clear(struct tile_register *tile)
{
    for (int row = 0; row < 16; row++)
        for (int k = 0; k < 64; k++)
            tile->term[row][k] = flow_term_number(0);
}

/* Between the register and memory, row by row; what there is not of a part is zero. */
static void move(struct thread *thread, const struct tile_place *place, const struct element *element, bool to_memory)
{
    struct tile_register *tile = register_of(thread, place);
    struct space *space;
    const int64_t distance = flow_affine(thread, place->distance);
    const int64_t position = flow_position(thread, element, NOT_IN_LANES, 0, &space);
    const int size = bytes_of(space->array->type);

    if (!tile)
        return;
    const int rows = part_of(thread, place->rows, thread->shape->rows[place->number]);
    const int bytes = part_of(thread, place->bytes, thread->shape->bytes[place->number]);
    if (!to_memory)
        clear(tile);
    for (int row = 0; row < rows; row++)
        for (int k = 0; k < bytes / size; k++) {
            const int64_t at = position + row * (distance / size) + k;
            if (to_memory)
                flow_store(thread, space, at, tile->term[row][k]);
            else
                tile->term[row][k] = flow_load(thread, space, at);
        }
}

static struct term product(struct thread *thread, const struct matrix_tile *tile, const struct tile_register *a,
                           const struct tile_register *b, int row, int column)
{
    const struct simd_product *product = tile->product;
    const struct algebra *algebra = &thread->run->flow->algebra;
    const int n = thread->shape->bytes[tile->factor[0].number] / bytes_of(product->rows);
    struct term sum = flow_term_number(0);

    for (int k = 0; k < n && flow_step(thread->run->flow, 1); k++) {
        const int group = k / product->depth, rest = k % product->depth;
        sum = flow_term_binary(algebra, OP_ADD, product->sum, sum,
                               flow_term_binary(algebra, OP_MUL, product->sum, a->term[row][k],
                                                b->term[group][column * product->depth + rest]));
    }
    return sum;
}

static void multiply(struct thread *thread, const struct matrix_tile *tile)
{
    struct tile_register *sums = register_of(thread, &tile->sums);
    const struct tile_register *a = register_of(thread, &tile->factor[0]), *b = register_of(thread, &tile->factor[1]);

    if (!sums || !a || !b)
        return;
    const int columns = thread->shape->bytes[tile->sums.number] / bytes_of(tile->product->sum);
    for (int row = 0; row < thread->shape->rows[tile->sums.number]; row++)
        for (int column = 0; column < columns; column++)
            sums->term[row][column] =
                flow_term_binary(&thread->run->flow->algebra, OP_ADD, tile->product->sum, sums->term[row][column],
                                 product(thread, tile, a, b, row, column));
}

void flow_tile(struct thread *thread, const struct node *assign)
{
    const struct matrix_tile *tile = assign->tile;
    struct tile_register *sums;

    switch (tile->kind) {
    case TILE_LOAD:
        move(thread, &tile->sums, &tree_expr_same_bits(assign->value)->element, false);
        break;
    case TILE_STORE:
        move(thread, &tile->sums, &assign->target, true);
        break;
    case TILE_ZERO:
        sums = register_of(thread, &tile->sums);
        if (sums)
            clear(sums);
        break;
    case TILE_MULTIPLY:
        for (int k = 0; k < 2; k++)
            if (!tile->factor[k].stays)
                move(thread, &tile->factor[k], tile_factor(assign, k), false);
        multiply(thread, tile);
    }
}
