/* Input data of the runs. */
#include "inputs.h"

#include <string.h>

/* 0.25 .. 2 with a full mantissa, either sign; or a whole number up to 8. */
static double random_real(struct prng *prng, bool whole)
{
    const double unit = (double)(prng_next(prng) >> 11) / 9007199254740992.0;
    const double value = whole ? 1 + (int)(8 * unit) : 0.25 + 1.75 * unit;

    return prng_next(prng) & 1 ? value : -value;
}

struct datum inputs_value(enum type type, struct prng *prng)
{
    const int64_t high = type_bits(type) <= 8 ? 9 : 99;
    const int64_t value = prng_range(prng, 1, high);

    if (type_is_float(type))
        return datum_real(type, random_real(prng, prng->whole));
    if (type == TYPE_BOOL)
        return datum_integer(type, value & 1);
    return datum_integer(type, type_is_signed(type) && prng_next(prng) & 1 ? -value : value);
}

static bool is_used(const struct storage *storage, int64_t value, int64_t n)
{
    const enum type type = storage->array->type;

    for (int64_t at = 0; at < n; at++)
        if (datum_load(type, storage->byte + at * datum_size(type)).integer == value)
            return true;
    return false;
}

/* A value that the array's "values" condition allows, 0 when there is none near the sizes; of an injective array one
 * that is not among its first n yet. */
static struct datum allowed_value(struct run *run, const struct storage *storage, int64_t n_before, struct prng *prng)
{
    const struct array *array = storage->array;
    int64_t low = -8, high = 8, chosen = 0;

    for (int k = 0; k < run->program->n_param; k++)
        high += run->param[k] > 0 ? run->param[k] : 0;
    for (int64_t value = low, n = 0; value <= high; value++) {
        run->loop[0] = value;
        if (evaluate_index(run, array->values) && !(array->injective && is_used(storage, value, n_before)) &&
            prng_range(prng, 0, n++) == 0)
            chosen = value;
    }
    return datum_integer(array->type, chosen);
}

static struct datum input_value(struct run *run, const struct storage *storage, int64_t at, struct prng *prng)
{
    return storage->array->values ? allowed_value(run, storage, at, prng) : inputs_value(storage->array->type, prng);
}

static void sort(struct storage *storage)
{
    const enum type type = storage->array->type;
    const int64_t size = datum_size(type);

    for (int64_t at = 1; at < storage->n; at++)
        for (int64_t k = at; k > 0; k--) {
            const struct datum before = datum_load(type, storage->byte + (k - 1) * size);
            const struct datum own = datum_load(type, storage->byte + k * size);
            if (before.integer <= own.integer)
                break;
            datum_store(own, storage->byte + (k - 1) * size);
            datum_store(before, storage->byte + k * size);
        }
}

static bool is_input(const struct array *array)
{
    return array->role == ROLE_IN || array->role == ROLE_INOUT;
}

/* Gaps between the elements get values too: nothing may read or change them. */
void inputs_random(struct run *run, struct prng *prng)
{
    for (int k = 0; k < run->program->n_array; k++) {
        struct storage *storage = &run->storage[k];
        const enum type type = storage->array->type;
        if (!is_input(storage->array))
            continue;
        for (int64_t at = 0; at < storage->n; at++)
            datum_store(input_value(run, storage, at, prng), storage->byte + at * datum_size(type));
        if (storage->array->nondecreasing)
            sort(storage);
        memset(storage->written, true, (size_t)storage->n);
    }
}

bool inputs_raw(struct run *run, const unsigned char *bytes, size_t size)
{
    for (int k = 0; k < run->program->n_array; k++) {
        struct storage *storage = &run->storage[k];
        const size_t n = (size_t)storage->n * (size_t)datum_size(storage->array->type);
        if (storage->array->role == ROLE_TEMP)
            continue;
        if (n > size)
            return false;
        memcpy(storage->byte, bytes, n);
        memset(storage->written, true, (size_t)storage->n);
        bytes += n;
        size -= n;
    }
    return size == 0;
}
