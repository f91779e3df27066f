/* What the benchmarks of emitted code share: medians of interleaved runs, and what the machine can do. */
#ifndef BENCH_H
#define BENCH_H

#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BENCH_RUNS = 9 };

/* One of the functions that compete. */
struct bench_work {
    void (*run)(void *data);
    void *data;
    double seconds; /* of one run, once measured */
};

static inline int bench_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

static inline double bench_time(const struct bench_work *work, int times)
{
    const double start = omp_get_wtime();

    for (int k = 0; k < times; k++)
        work->run(work->data);
    return (omp_get_wtime() - start) / times;
}

/* Until the threads of the work before have gone to sleep. */
static inline void bench_pause(void)
{
    const struct timespec pause = {.tv_nsec = 2000000};

    nanosleep(&pause, NULL);
}

/* The medians of n works, run in turn; each turn takes some milliseconds. */
static inline void bench_measure(struct bench_work *work, int n)
{
    double time[8][BENCH_RUNS];
    int times[8];

    for (int w = 0; w < n; w++) {
        const double once = bench_time(&work[w], 1);
        times[w] = once < 4e-3 ? (int)(4e-3 / (once + 1e-9)) + 1 : 1;
    }
    for (int r = 0; r < BENCH_RUNS; r++)
        for (int w = 0; w < n; w++) {
            bench_pause();
            time[w][r] = bench_time(&work[w], times[w]);
        }
    for (int w = 0; w < n; w++) {
        qsort(time[w], BENCH_RUNS, sizeof(double), bench_compare);
        work[w].seconds = time[w][BENCH_RUNS / 2];
    }
}

/* Room for n bytes, on a cache line. */
static inline void *bench_room(size_t n)
{
    return aligned_alloc(64, (n + 64) / 64 * 64);
}

static inline float *bench_floats(size_t n)
{
    float *a = bench_room(n * sizeof *a);

    for (size_t k = 0; a && k < n; k++)
        a[k] = (float)rand() / (float)RAND_MAX - 0.5f;
    return a;
}

static inline double *bench_doubles(size_t n)
{
    double *a = bench_room(n * sizeof *a);

    for (size_t k = 0; a && k < n; k++)
        a[k] = rand() / (double)RAND_MAX - 0.5;
    return a;
}

#if defined(__AVX512F__) || defined(__FMA__)

#ifdef __AVX512F__
enum { BENCH_LANES = 16 };
#define BENCH_REGISTER "+v"
#else
enum { BENCH_LANES = 8 };
#define BENCH_REGISTER "+x"
#endif

/* A register of floats, and the same in memory, where it may stand anywhere. */
typedef float bench_vector __attribute__((vector_size(4 * BENCH_LANES)));
typedef float bench_unaligned __attribute__((vector_size(4 * BENCH_LANES), aligned(4), may_alias));

#define BENCH_FMA3(a, b, c)                                                                                            \
    __asm__ volatile("vfmadd132ps %0, %0, %0\n\tvfmadd132ps %1, %1, %1\n\tvfmadd132ps %2, %2, %2"                      \
                     : BENCH_REGISTER(a), BENCH_REGISTER(b), BENCH_REGISTER(c))

/* Gop/s of f32 multiply-adds that stay in registers, all threads together. */
static inline double bench_peak(void)
{
    enum { N = 10000000 };
    const double start = omp_get_wtime();

#pragma omp parallel
    {
        bench_vector x0 = {0}, x1 = x0, x2 = x0, x3 = x0, x4 = x0, x5 = x0, x6 = x0, x7 = x0, x8 = x0, x9 = x0;
        bench_vector x10 = x0, x11 = x0;
        for (int n = 0; n < N; n++) {
            BENCH_FMA3(x0, x1, x2);
            BENCH_FMA3(x3, x4, x5);
            BENCH_FMA3(x6, x7, x8);
            BENCH_FMA3(x9, x10, x11);
        }
    }
    return N * 12.0 * 2 * BENCH_LANES * omp_get_max_threads() / (omp_get_wtime() - start) * 1e-9;
}
#endif

#endif
