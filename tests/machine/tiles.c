/* Registers that hold tiles: rows of bytes, multiplied in groups of neighbours. */
#include "machine.h"

#include "caps/simd.h"
#include "tree/visit.h"

#include <string.h>

static struct tile_register *register_of(struct thread *thread, const struct tile_place *place)
{
    if (!thread->shape || place->number >= thread->shape->n)
        machine_fault(thread->machine, "tile register %d has no shape", place->number);
    return &thread->tile[place->number];
}

/* How much of the tile there is: its rows, and the bytes of one. */
static void part_of(struct thread *thread, const struct tile_place *place, int *rows, int *bytes)
{
    const struct tile_shape *shape = thread->shape;
    const int64_t some_rows = place->rows ? affine_value(thread, place->rows) : shape->rows[place->number];
    const int64_t some_bytes = place->bytes ? affine_value(thread, place->bytes) : shape->bytes[place->number];

    *rows = (int)(some_rows < shape->rows[place->number] ? some_rows : shape->rows[place->number]);
    *bytes = (int)(some_bytes < shape->bytes[place->number] ? some_bytes : shape->bytes[place->number]);
}

/* Between the register and memory, row by row; what there is not of a part is zero. */
static void move(struct thread *thread, const struct tile_place *place, const struct element *element, bool to_memory)
{
    struct tile_register *tile = register_of(thread, place);
    const int64_t distance = affine_value(thread, place->distance);
    const struct space *memory;
    const int64_t position = element_position(thread, element, NOT_IN_LANES, 0, &memory);
    int rows, bytes;

    part_of(thread, place, &rows, &bytes);
    if (!to_memory)
        memset(tile, 0, sizeof(*tile));
    for (int k = 0; k < rows && bytes > 0; k++) {
        const int64_t row = position + k * distance / word_size(memory->array->type);
        unsigned char *at = space_bytes(thread, memory, row, bytes);
        if (to_memory)
            memcpy(at, tile->byte[k], (size_t)bytes);
        else
            memcpy(tile->byte[k], at, (size_t)bytes);
    }
}

static void multiply(struct thread *thread, const struct matrix_tile *tile)
{
    const struct simd_product *product = tile->product;
    struct tile_register *sums = register_of(thread, &tile->sums);
    const struct tile_register *a = register_of(thread, &tile->factor[0]), *b = register_of(thread, &tile->factor[1]);
    const int size = word_size(product->rows), width = word_size(product->sum);

    for (int m = 0; m < thread->shape->rows[tile->sums.number]; m++)
        for (int n = 0; n < thread->shape->bytes[tile->sums.number] / width; n++) {
            struct word sum = word_load(product->sum, &sums->byte[m][n * width]);
            for (int k = 0; k < thread->shape->bytes[tile->factor[0].number] / size; k++) {
                const int group = k / product->depth, rest = k % product->depth;
                const struct word left = word_load(product->rows, &a->byte[m][k * size]);
                const struct word right =
                    word_load(product->columns, &b->byte[group][(n * product->depth + rest) * size]);
                sum = word_binary(OP_ADD, sum,
                                  word_binary(OP_MUL, word_convert(left, product->sum),
                                              word_convert(right, product->sum)));
            }
            word_store(sum, &sums->byte[m][n * width]);
        }
}

void run_tile(struct thread *thread, const struct node *assign)
{
    const struct matrix_tile *tile = assign->tile;

    switch (tile->kind) {
    case TILE_LOAD:
        move(thread, &tile->sums, &tree_expr_same_bits(assign->value)->element, false);
        break;
    case TILE_STORE:
        move(thread, &tile->sums, &assign->target, true);
        break;
    case TILE_ZERO:
        memset(register_of(thread, &tile->sums), 0, sizeof(struct tile_register));
        break;
    case TILE_MULTIPLY:
        for (int k = 0; k < 2; k++)
            if (!tile->factor[k].stays)
                move(thread, &tile->factor[k], tile_factor(assign, k), false);
        multiply(thread, tile);
    }
}
