/* The harness: calls emitted functions with recorded data and compares every byte with the oracle's.
 *
 * Each array stands between two guard zones, which must come back
 * unchanged; under the address sanitizer they cannot even be read. Prints what differs; exit status
 * 0 when nothing does, 1 otherwise, 3 when the records cannot be read. With HARNESS_CLOSE=x, floats may
 * differ by x, or by the x-fold of a value above 1: for sums in another order and approximations.
 */
#include "harness.h"

#include "program/type.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GUARD 256 /* bytes before and after each array; keeps them aligned for any vector */
#define GUARD_BYTE 0xA5

/* Present when the emitted code was built with the address sanitizer. */
void __asan_poison_memory_region(const volatile void *at, size_t size) __attribute__((weak));
void __asan_unpoison_memory_region(const volatile void *at, size_t size) __attribute__((weak));

/* Present where emitted code runs on a device, or in the shim for CUDA: was a launch larger than a device has in the
 * last call, which gave this result? */
int harness_too_large(int result) __attribute__((weak));

/* Present where it runs on a device: memory for arrays that host and device share. */
void *harness_allocate(size_t size) __attribute__((weak));
void harness_release(void *memory) __attribute__((weak));

static const struct harness_function *function_table;

struct argument {
    struct harness_array head;
    unsigned char *block; /* guard, array, guard */
    unsigned char *expected;
};

struct record {
    struct harness_record head;
    int64_t *param;
    uint64_t *scalar;
    const void **scalar_at;
    struct argument *argument;
    void **array;
};

static void fail(const char *what)
{
    fprintf(stderr, "harness: %s\n", what);
    exit(3);
}

static void *get(FILE *in, size_t n, size_t size)
{
    void *data = calloc(n + 1, size);

    if (fread(data, size, n, in) != n)
        fail("the records end early");
    return data;
}

static size_t block_size(const struct argument *argument)
{
    return 2 * GUARD + (size_t)argument->head.size;
}

static void set_guards(const struct argument *argument, void (*action)(const volatile void *, size_t))
{
    if (!action)
        return;
    action(argument->block, GUARD);
    action(argument->block + GUARD + argument->head.size, GUARD);
}

static unsigned char *allocate_block(size_t size)
{
    unsigned char *block = harness_allocate ? harness_allocate(size) : aligned_alloc(64, (size + 63) / 64 * 64);

    if (!block)
        fail("there is no memory for an array");
    return block;
}

static void get_argument(FILE *in, struct argument *argument)
{
    if (fread(&argument->head, sizeof(argument->head), 1, in) != 1)
        fail("the records end early");
    const size_t size = (size_t)argument->head.size;
    argument->block = allocate_block(block_size(argument));
    memset(argument->block, GUARD_BYTE, block_size(argument));
    if (fread(argument->block + GUARD, 1, size, in) != size)
        fail("the records end early");
    argument->expected = get(in, size, 1);
}

static bool get_record(FILE *in, struct record *record)
{
    if (fread(&record->head, sizeof(record->head), 1, in) != 1)
        return false;
    if (record->head.magic != HARNESS_MAGIC)
        fail("not a file of records");
    const size_t n_array = (size_t)record->head.n_array, n_scalar = (size_t)record->head.n_scalar;
    record->param = get(in, (size_t)record->head.n_param, sizeof(*record->param));
    record->scalar = get(in, n_scalar, sizeof(*record->scalar));
    record->scalar_at = calloc(n_scalar + 1, sizeof(*record->scalar_at));
    record->argument = calloc(n_array + 1, sizeof(*record->argument));
    record->array = calloc(n_array + 1, sizeof(*record->array));
    for (size_t k = 0; k < n_scalar; k++)
        record->scalar_at[k] = &record->scalar[k];
    for (size_t k = 0; k < n_array; k++) {
        get_argument(in, &record->argument[k]);
        record->array[k] = record->argument[k].block + GUARD;
    }
    return true;
}

static void free_record(struct record *record)
{
    for (int64_t k = 0; k < record->head.n_array; k++) {
        (harness_release ? harness_release : free)(record->argument[k].block);
        free(record->argument[k].expected);
    }
    free(record->param);
    free(record->scalar);
    free(record->scalar_at);
    free(record->argument);
    free(record->array);
}

static double real_value(int64_t type, const unsigned char *byte)
{
    float single;
    double real;

    if (type == TYPE_F16)
        return (double)harness_f16(byte);
    if (type == TYPE_F64) {
        memcpy(&real, byte, sizeof(real));
        return real;
    }
    if (type == TYPE_BF16) {
        const unsigned char wide[4] = {0, 0, byte[0], byte[1]};
        memcpy(&single, wide, sizeof(single));
    } else {
        memcpy(&single, byte, sizeof(single));
    }
    return (double)single;
}

static bool is_float(int64_t type)
{
    return type == TYPE_F16 || type == TYPE_BF16 || type == TYPE_F32 || type == TYPE_F64;
}

static bool is_nan(int64_t type, const unsigned char *byte)
{
    return is_float(type) && isnan(real_value(type, byte));
}

static void print_value(int64_t type, int64_t size, const unsigned char *byte)
{
    int64_t value = 0;

    if (is_float(type)) {
        fprintf(stderr, "%.17g", real_value(type, byte));
        return;
    }
    memcpy(&value, byte, (size_t)size);
    fprintf(stderr, "%lld (0x%llx)", (long long)value, (unsigned long long)value);
}

static void print_call(const struct record *record)
{
    const struct harness_function *function = &function_table[record->head.function];

    fprintf(stderr, "%s(", function->name);
    for (int64_t k = 0; k < record->head.n_param; k++)
        fprintf(stderr, "%s%s=%lld", k ? ", " : "", function->param_name[k], (long long)record->param[k]);
    fprintf(stderr, "): ");
}

static double allowed_difference(void)
{
    const char *close = getenv("HARNESS_CLOSE");

    return close ? strtod(close, NULL) : 0;
}

static bool are_close(int64_t type, const unsigned char *is, const unsigned char *wanted)
{
    const double allowed = allowed_difference();

    if (allowed <= 0 || !is_float(type))
        return false;
    const double value = real_value(type, wanted), size = fabs(value) > 1 ? fabs(value) : 1;
    return fabs(real_value(type, is) - value) <= allowed * size;
}

static bool same_element(const struct argument *argument, const unsigned char *is, const unsigned char *wanted)
{
    const int64_t type = argument->head.type;

    return !memcmp(is, wanted, (size_t)argument->head.element_size) || (is_nan(type, is) && is_nan(type, wanted)) ||
           are_close(type, is, wanted);
}

/* NaNs are alike: which operand's payload survives is the compiler's choice. */
static bool same_array(const struct record *record, const struct argument *argument)
{
    const int64_t size = argument->head.element_size;

    for (int64_t at = 0; at < argument->head.size; at += size) {
        const unsigned char *is = argument->block + GUARD + at, *wanted = argument->expected + at;
        if (same_element(argument, is, wanted))
            continue;
        print_call(record);
        fprintf(stderr, "element %lld of %s is ", (long long)(at / size), argument->head.name);
        print_value(argument->head.type, size, is);
        fprintf(stderr, ", expected ");
        print_value(argument->head.type, size, wanted);
        fprintf(stderr, "\n");
        return false;
    }
    return true;
}

static bool guards_unchanged(const struct record *record, const struct argument *argument)
{
    const unsigned char *after = argument->block + GUARD + argument->head.size;

    for (int k = 0; k < GUARD; k++)
        if (argument->block[k] != GUARD_BYTE || after[k] != GUARD_BYTE) {
            print_call(record);
            fprintf(stderr, "wrote outside %s\n", argument->head.name);
            return false;
        }
    return true;
}

/* An error that a random program may ask for: its launcher had to refuse a launch. */
static bool is_too_large(int result)
{
    return harness_too_large && harness_too_large(result) && result && getenv("HARNESS_LAUNCHES");
}

/* With HARNESS_LAUNCHES=refused all launchers have to. */
static bool must_be_too_large(const struct record *record)
{
    const char *launches = getenv("HARNESS_LAUNCHES");

    if (!launches || strcmp(launches, "refused") != 0)
        return false;
    print_call(record);
    fprintf(stderr, "no launch was refused\n");
    return true;
}

static bool run_record(const struct record *record)
{
    bool good = true;

    for (int64_t k = 0; k < record->head.n_array; k++)
        set_guards(&record->argument[k], __asan_poison_memory_region);
    const int result = function_table[record->head.function].call(record->param, record->scalar_at, record->array);
    for (int64_t k = 0; k < record->head.n_array; k++)
        set_guards(&record->argument[k], __asan_unpoison_memory_region);
    if (is_too_large(result))
        return true;
    if (must_be_too_large(record))
        return false;
    if (result) {
        print_call(record);
        fprintf(stderr, "returned %d\n", result);
        return false;
    }
    for (int64_t k = 0; k < record->head.n_array; k++)
        good = same_array(record, &record->argument[k]) && guards_unchanged(record, &record->argument[k]) && good;
    return good;
}

int harness_run(const struct harness_function *functions, const char *records)
{
    FILE *in = fopen(records, "rb");
    struct record record;
    int n = 0, bad = 0;

    if (!in)
        fail("cannot open the records");
    function_table = functions;
    while (get_record(in, &record)) {
        n++;
        bad += !run_record(&record);
        free_record(&record);
    }
    fclose(in);
    if (!n)
        fail("no records");
    if (bad)
        fprintf(stderr, "harness: %d of %d runs differ\n", bad, n);
    return bad ? 1 : 0;
}
