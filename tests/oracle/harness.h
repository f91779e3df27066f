/* Between the oracle, which knows what must come out, and the emitted code that is tested.
 *
 * The oracle writes a file of records and a source file with the table of functions to call; the
 * driver is linked with both and the emitted code, and calls every record's function.
 * A record is a harness_record, n_param int64_t, n_scalar slots of 8 bytes (the scalar's bytes
 * first), then per array a harness_array, its bytes before the call, its bytes after it.
 */
#ifndef ORACLE_HARNESS_H
#define ORACLE_HARNESS_H

#include <stdint.h>
#include <string.h>

#define HARNESS_MAGIC 0x747365746e796c70

struct harness_record {
    int64_t magic;
    int64_t function; /* place in the table */
    int64_t n_param, n_scalar, n_array;
};

struct harness_array {
    char name[32];
    int64_t type;         /* enum type */
    int64_t element_size; /* bytes */
    int64_t size;         /* bytes of the whole array */
};

struct harness_function {
    const char *name;
    const char *const *param_name;
    int (*call)(const int64_t *param, const void *const *scalar, void *const *array);
};

/* In the source file with the calls. */
extern const struct harness_function harness_function[];

/* An f16 as emitted C takes it by value. */
static inline float harness_f16(const void *bits)
{
    uint16_t half;

    memcpy(&half, bits, sizeof(half));
    const int exponent = half >> 10 & 31;
    float value = (float)((half & 0x3ff) + (exponent ? 0x400 : 0)) / 16777216.0f;
    for (int k = 1; k < exponent; k++)
        value *= 2.0f;
    if (exponent == 31)
        value = half & 0x3ff ? value * 0.0f / 0.0f : value * 1e38f;
    return half >> 15 ? -value : value;
}

/* The driver: calls functions of the table with all records of a file; the program's exit status. */
int harness_run(const struct harness_function *functions, const char *records);

#endif
