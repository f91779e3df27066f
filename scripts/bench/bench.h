/* What the benchmarks of emitted code share: medians of interleaved runs, and what the machine can do. */
#ifndef BENCH_H
#define BENCH_H

#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BENCH_WORKS = 10, BENCH_ROUNDS = 61, BENCH_LEAST = 3 };

/* Does a second description of the work compete? */
#ifdef OTHER
enum { HAS_OTHER = 1 };
#else
enum { HAS_OTHER = 0 };
#endif

/* One of the functions that compete. */
struct bench_work {
    void (*run)(void *data);
    void *data;
    double seconds;            /* of one run, once measured: the median */
    double time[BENCH_ROUNDS]; /* of each round */
};

static inline int bench_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

static inline double bench_median(const double *value, int n)
{
    double sorted[BENCH_ROUNDS];

    memcpy(sorted, value, (size_t)n * sizeof *value);
    qsort(sorted, (size_t)n, sizeof *value, bench_compare);
    return sorted[n / 2];
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

    if (omp_get_max_threads() > 1)
        nanosleep(&pause, NULL);
}

/* Runs the work for some milliseconds, until its threads are awake and each has a processor; seconds of the last run. */
static inline double bench_warm(const struct bench_work *work, double seconds)
{
    const double end = omp_get_wtime() + seconds;
    double last;

    do
        last = bench_time(work, 1);
    while (omp_get_wtime() < end);
    return last;
}

/* Seconds for a row of the table. */
static inline double bench_budget(void)
{
    const char *given = getenv("BENCH_SECONDS");

    return given && atof(given) > 0 ? atof(given) : 0.5;
}

/* Works that take turns of some milliseconds, in as many rounds as there is time for, three at least; how many. Every
 * other round goes backwards: what ran before, in caches and in heat, is not always the same. */
static inline int bench_measure(struct bench_work *work, int n)
{
    const double end = omp_get_wtime() + bench_budget();
    int times[BENCH_WORKS], rounds = 0;

    for (int w = 0; w < n; w++) {
        const double once = bench_warm(&work[w], 1e-2);
        times[w] = once < 2e-3 ? (int)(2e-3 / (once + 1e-9)) + 1 : 1;
    }
    for (; rounds < BENCH_ROUNDS && (rounds < BENCH_LEAST || omp_get_wtime() < end); rounds++)
        for (int turn = 0; turn < n; turn++) {
            const int w = rounds % 2 ? n - 1 - turn : turn;
            bench_pause();
            bench_warm(&work[w], omp_get_max_threads() > 1 ? 1e-3 : 0);
            work[w].time[rounds] = bench_time(&work[w], times[w]);
        }
    for (int w = 0; w < n; w++)
        work[w].seconds = bench_median(work[w].time, rounds);
    return rounds;
}

/* How many times as fast a work is as another one that took turns with it: the median of the rounds' ratios. */
static inline double bench_ratio(const struct bench_work *work, const struct bench_work *other, int rounds)
{
    double ratio[BENCH_ROUNDS];

    for (int r = 0; r < rounds; r++)
        ratio[r] = other->time[r] / work->time[r];
    return bench_median(ratio, rounds);
}

/* A line for bench-code.sh: what was measured, compiler and threads, how fast it is, what it is compared with, how many
 * times as fast it is and should be (0: no goal), and how many times as fast as the plain nest. */
static inline void bench_row(const char *work, const char *label, const char *speed, const char *beside, double ratio,
                             double goal, double plain)
{
    printf("%s\t%s\t%s\t%s\t%.2f\t%.2f\t%.1f\n", work, label, speed, beside, ratio, goal, plain);
    fflush(stdout);
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

enum { BENCH_FMAS = 1000000 };

/* Gop of f32 multiply-adds in registers that one run of bench_fmas computes, all threads together. */
static inline double bench_fma_gop(void)
{
    return BENCH_FMAS * 12e-9 * 2 * BENCH_LANES * omp_get_max_threads();
}

/* What no work can be faster than takes turns with it. */
static inline void bench_fmas(void *unused)
{
    (void)unused;
#pragma omp parallel
    {
        bench_vector x0 = {0}, x1 = x0, x2 = x0, x3 = x0, x4 = x0, x5 = x0, x6 = x0, x7 = x0, x8 = x0, x9 = x0;
        bench_vector x10 = x0, x11 = x0;
        for (int n = 0; n < BENCH_FMAS; n++) {
            BENCH_FMA3(x0, x1, x2);
            BENCH_FMA3(x3, x4, x5);
            BENCH_FMA3(x6, x7, x8);
            BENCH_FMA3(x9, x10, x11);
        }
    }
}
#endif

#endif
