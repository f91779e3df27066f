/* Measures a kernel: `run ROUNDS`, both functions in turn; prints the median of the plain nest's seconds, that of the
 * other function's, the median of the ratios, and whether all results are the same bytes. */
#include "polybench.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARRAYS = 32, MAX_ROUNDS = 31 };

struct copies array[MAX_ARRAYS];
static int n_array;

static uint64_t state = 88172645463325252u;

/* Between 0 and 1, the same in every run. */
static double next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0;
}

static void *allocate(size_t bytes)
{
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);

    if (!memory)
        abort();
    memset(memory, 0, bytes);
    return memory;
}

static void fill(void *memory, size_t size, size_t count, size_t row)
{
    for (size_t k = 0; k < count; k++) {
        const double value = next_random() + (row && k % row == k / row ? (double)row : 0.0);

        if (size == 8)
            ((double *)memory)[k] = value;
        else if (size == 4 && !row)
            ((float *)memory)[k] = (float)value;
        else if (size == 1)
            ((int8_t *)memory)[k] = (int8_t)(value * 4);
    }
}

void add_array(size_t size, size_t count, size_t row, int is_result)
{
    const size_t bytes = size * count;
    struct copies *copies = &array[n_array++];

    if (n_array > MAX_ARRAYS)
        abort();
    *copies = (struct copies){allocate(bytes), allocate(bytes), allocate(bytes), bytes, is_result};
    fill(copies->start, size, count, row);
}

static double time_of(void (*run)(void))
{
    const double start = omp_get_wtime();

    run();
    return omp_get_wtime() - start;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *value, int n)
{
    qsort(value, (size_t)n, sizeof *value, by_value);
    return value[n / 2];
}

static void start_again(void)
{
    for (int k = 0; k < n_array; k++) {
        memcpy(array[k].plain, array[k].start, array[k].bytes);
        memcpy(array[k].other, array[k].start, array[k].bytes);
    }
}

static int same_results(void)
{
    for (int k = 0; k < n_array; k++)
        if (array[k].is_result && memcmp(array[k].plain, array[k].other, array[k].bytes) != 0)
            return 0;
    return 1;
}

int main(int argc, char **argv)
{
    const int wanted = argc > 1 ? atoi(argv[1]) : 3, rounds = wanted > MAX_ROUNDS ? MAX_ROUNDS : wanted;
    double plain[MAX_ROUNDS], other[MAX_ROUNDS], ratio[MAX_ROUNDS];
    int same = 1;

    describe();
    for (int k = 0; k < rounds; k++) {
        start_again();
        plain[k] = time_of(run_plain);
        other[k] = time_of(run_auto);
        ratio[k] = plain[k] / other[k];
        same = same && same_results();
    }
    printf("%.4f %.4f %.2f %s\n", median(plain, rounds), median(other, rounds), median(ratio, rounds),
           same ? "same" : "DIFFERENT");
    return same ? 0 : 1;
}
