/* Layout and memory of the arrays of one run. */
#include "storage.h"

#include "interpret.h"

#include <stdlib.h>
#include <string.h>

/* A quiet NaN of each floating type with a payload that arithmetic does not produce. */
static void poison(enum type type, unsigned char *byte, size_t size)
{
    memset(byte, 0xA5, size);
    if (!type_is_float(type))
        return;
    byte[size - 1] = 0x7F;
    byte[size - 2] = type == TYPE_F16 ? 0xE5 : 0xFD;
    if (type == TYPE_F16)
        byte[size - 1] = 0x7E;
}

/* The elements of a const array, in row-major order of their subscripts. */
static void set_data(struct storage *storage)
{
    const struct array *array = storage->array;
    const size_t size = (size_t)datum_size(array->type);
    int64_t index[64] = {0};
    const unsigned char *from = array->data;
    int k = 0;

    while (k >= 0) {
        const int64_t position = storage_position(storage, index);
        memcpy(storage->byte + (size_t)position * size, from, size);
        storage->written[position] = true;
        from += size;
        for (k = array->n_dim - 1; k >= 0 && ++index[k] == storage->extent[k]; k--)
            index[k] = 0;
    }
}

static void dense_strides(struct storage *storage)
{
    const struct array *array = storage->array;
    int64_t stride = 1;

    for (int k = array->n_dim - 1; k >= 0; k--) {
        const int dim = array->dim_order ? array->dim_order[k] : k;
        storage->stride[dim] = stride;
        stride *= storage->extent[dim];
    }
}

/* Positions of a stored dimension: those in a block, or as many blocks as the extent fills or begins. */
static int64_t room(const struct storage *storage, const struct stored_dim *digit)
{
    return digit->size ? digit->size : (storage->extent[digit->dim] + digit->unit - 1) / digit->unit;
}

/* Blocks one after the other, positions inside them fastest. */
static int64_t blocked_position(const struct storage *storage, const int64_t *index)
{
    int64_t position = 0;

    for (int k = 0; k < storage->array->n_digit; k++) {
        const struct stored_dim *digit = &storage->array->digit[k];
        const int64_t own = index[digit->dim] / digit->unit;
        position = position * room(storage, digit) + (digit->size ? own % digit->size : own);
    }
    return position;
}

static int64_t blocked_size(const struct storage *storage)
{
    int64_t size = 1;

    for (int k = 0; k < storage->array->n_digit; k++)
        size *= room(storage, &storage->array->digit[k]);
    return size;
}

static void lay_out(struct storage *storage, const struct program *program, int64_t *param)
{
    const struct array *array = storage->array;
    int64_t last = storage->offset, elements = 1;

    if (array->stride)
        for (int k = 0; k < array->n_dim; k++)
            storage->stride[k] = evaluate_extent(program, array->stride[k], param);
    else
        dense_strides(storage);
    for (int k = 0; k < array->n_dim; k++) {
        last += storage->stride[k] > 0 ? (storage->extent[k] - 1) * storage->stride[k] : 0;
        elements *= storage->extent[k];
    }
    storage->n = !elements ? 0 : array->digit ? blocked_size(storage) : last + 1;
}

void storage_init(struct storage *storage, const struct program *program, const struct array *array, int64_t *param)
{
    const size_t size = (size_t)datum_size(array->type);

    storage->array = array;
    storage->extent = calloc((size_t)array->n_dim + 1, sizeof(*storage->extent));
    storage->stride = calloc((size_t)array->n_dim + 1, sizeof(*storage->stride));
    storage->offset = array->offset ? evaluate_extent(program, array->offset, param) : 0;
    for (int k = 0; k < array->n_dim; k++)
        storage->extent[k] = evaluate_extent(program, array->shape[k], param);
    lay_out(storage, program, param);
    storage->byte = calloc((size_t)storage->n + 1, size);
    storage->written = calloc((size_t)storage->n + 1, sizeof(*storage->written));
    for (int64_t k = 0; k < storage->n && !array->init_zero; k++)
        poison(array->type, storage->byte + (size_t)k * size, size);
    memset(storage->written, array->init_zero, (size_t)storage->n);
    if (array->data)
        set_data(storage);
}

void storage_free(struct storage *storage)
{
    free(storage->extent);
    free(storage->stride);
    free(storage->byte);
    free(storage->written);
}

int64_t storage_position(const struct storage *storage, const int64_t *index)
{
    int64_t position = storage->offset;

    for (int k = 0; k < storage->array->n_dim; k++) {
        if (index[k] < 0 || index[k] >= storage->extent[k])
            return -1;
        position += index[k] * storage->stride[k];
    }
    return storage->array->digit ? blocked_position(storage, index) : position;
}
