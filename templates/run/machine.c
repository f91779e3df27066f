/* Measures the machine: prints the bytes a second that a loop over memory moves, and the multiplications and additions a
 * second of values in registers.
 *
 * flags: -D_POSIX_C_SOURCE=200809L -fopenmp
 * REAL = float
 */
#define _POSIX_C_SOURCE 200809L

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N_VALUE = 1 << 22, N_STEP = 1 << 20, ROUNDS = 5, N_SUM = 10 };

#if defined(__AVX512F__)
enum { BYTES = 64 };
#elif defined(__AVX__)
enum { BYTES = 32 };
#else
enum { BYTES = 16 };
#endif
typedef @REAL@ lanes __attribute__((vector_size(BYTES)));

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* x = y + 2 z: two arrays are read, one is written. */
static double bandwidth(@REAL@ *x, @REAL@ *y, @REAL@ *z)
{
    double best = 0;

#pragma omp parallel for
    for (int64_t k = 0; k < N_VALUE; k++)
        x[k] = y[k] = z[k] = 1;
    for (int round = 0; round < ROUNDS; round++) {
        const double start = now();

#pragma omp parallel for
        for (int64_t k = 0; k < N_VALUE; k++)
            x[k] = y[k] + 2 * z[k];
        const double rate = 3.0 * sizeof(@REAL@) * N_VALUE / (now() - start);
        best = rate > best ? rate : best;
    }
    return best;
}

static double sums(void)
{
    lanes sum[N_SUM], factor, total = {0};
    double all = 0;

    for (int k = 0; k < (int)(BYTES / sizeof(@REAL@)); k++)
        factor[k] = (@REAL@)0.5;
    for (int k = 0; k < N_SUM; k++)
        sum[k] = factor * (@REAL@)(k + 3);
    for (int step = 0; step < N_STEP; step++)
        for (int k = 0; k < N_SUM; k++)
            sum[k] = sum[k] * factor + factor;
    for (int k = 0; k < N_SUM; k++)
        total += sum[k];
    for (int k = 0; k < (int)(BYTES / sizeof(@REAL@)); k++)
        all += (double)total[k];
    return all;
}

static double peak(void)
{
    volatile double sink = 0;
    double best = 0;

    for (int round = 0; round < ROUNDS; round++) {
        const double start = now();
        double all = 0;
        int threads = 0;

#pragma omp parallel reduction(+ : all, threads)
        {
            all += sums();
            threads++;
        }
        sink = sink + all;
        const double rate = 2.0 * N_STEP * N_SUM * (BYTES / (double)sizeof(@REAL@)) * threads / (now() - start);
        best = rate > best ? rate : best;
    }
    return best;
}

int main(void)
{
    @REAL@ *memory = malloc(3 * sizeof(*memory) * N_VALUE);

    if (!memory)
        return 3;
    printf("%.0f\n%.0f\n", bandwidth(memory, memory + N_VALUE, memory + 2 * N_VALUE), peak());
    free(memory);
    return 0;
}
