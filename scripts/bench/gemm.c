/* Matrix products of several shapes, of type float with -DSINGLE: the emitted PACKED, perhaps DEEP, SMALL, UNPACKED, WIDE,
 * THIN and, for N = 1, VECTOR, of which the fastest counts, against cblas and the plain nest. usage: gemm LABEL LIBRARY */
#include "bench.h"

#ifdef SINGLE
typedef float real;
#define BLAS_GEMM cblas_sgemm
#define NUMBERS bench_floats
#define NAME "SGEMM"
enum { PEAK_SHARE = 1 };
#else
typedef double real;
#define BLAS_GEMM cblas_dgemm
#define NUMBERS bench_doubles
#define NAME "DGEMM"
enum { PEAK_SHARE = 2 };
#endif

int PACKED(int64_t M, int64_t N, int64_t K, const real *A, const real *B, real *C);
#ifdef DEEP
void DEEP(int64_t M, int64_t N, int64_t K, const real *A, const real *B, real *C);
#endif
void SMALL(int64_t M, int64_t N, int64_t K, const real *A, const real *B, real *C);
void UNPACKED(int64_t M, int64_t N, int64_t K, const real *A, const real *B, real *C);
void WIDE(int64_t M, int64_t N, int64_t K, const real *A, const real *B, real *C);
void THIN(int64_t M, int64_t N, int64_t K, const real *A, const real *B, real *C);
void NAIVE(int64_t M, int64_t N, int64_t K, const real *A, const real *B, real *C);
void VECTOR(int64_t M, int64_t K, const real *A, const real *x, real *y);
void BLAS_GEMM(int, int, int, int, int, int, real, const real *, int, const real *, int, real, real *, int);

struct shape {
    int m, n, k;
    const real *a, *b;
    real *c;
};

static void run_packed(void *data)
{
    const struct shape *s = data;

    PACKED(s->m, s->n, s->k, s->a, s->b, s->c);
}

#ifdef DEEP
static void run_deep(void *data)
{
    const struct shape *s = data;

    DEEP(s->m, s->n, s->k, s->a, s->b, s->c);
}
#endif

static void run_small(void *data)
{
    const struct shape *s = data;

    SMALL(s->m, s->n, s->k, s->a, s->b, s->c);
}

static void run_unpacked(void *data)
{
    const struct shape *s = data;

    UNPACKED(s->m, s->n, s->k, s->a, s->b, s->c);
}

static void run_wide(void *data)
{
    const struct shape *s = data;

    WIDE(s->m, s->n, s->k, s->a, s->b, s->c);
}

static void run_thin(void *data)
{
    const struct shape *s = data;

    THIN(s->m, s->n, s->k, s->a, s->b, s->c);
}

static void run_vector(void *data)
{
    const struct shape *s = data;

    VECTOR(s->m, s->k, s->a, s->b, s->c);
}

static void run_library(void *data)
{
    const struct shape *s = data;

    BLAS_GEMM(101, 111, 111, s->m, s->n, s->k, 1, s->a, s->k, s->b, s->n, 1, s->c, s->n);
}

static void run_naive(void *data)
{
    const struct shape *s = data;

    NAIVE(s->m, s->n, s->k, s->a, s->b, s->c);
}

/* Of the plain nest: as many rows as take some hundredths of a second stand for all. */
static double naive_seconds(const struct shape *shape)
{
    const double rows = 5e7 / (2.0 * shape->n * shape->k);
    struct shape part = *shape;
    const struct bench_work work = {.run = run_naive, .data = &part};

    if (rows < part.m)
        part.m = rows < 1 ? 1 : (int)rows;
    bench_time(&work, 1);
    return bench_time(&work, 1) * shape->m / part.m;
}

enum { EMITTED = 7 };

struct emitted {
    const char *name;
    void (*run)(void *data);
};

/* Sorts the fastest descriptions to the front; how many may turn out to be the fastest of all. */
static int choose(struct emitted *emitted, int n, struct shape *shape)
{
    double seconds[EMITTED];
    int close = 0;

    for (int e = 0; e < n; e++) {
        const struct bench_work work = {.run = emitted[e].run, .data = shape};
        const double first = bench_time(&work, 1), second = first < 0.05 ? bench_time(&work, 1) : first;
        seconds[e] = first < second ? first : second;
        for (int f = e; f > 0 && seconds[f] < seconds[f - 1]; f--) {
            const struct emitted other = emitted[f];
            const double time = seconds[f];
            emitted[f] = emitted[f - 1];
            seconds[f] = seconds[f - 1];
            emitted[f - 1] = other;
            seconds[f - 1] = time;
        }
    }
    while (close < n && seconds[close] < 1.3 * seconds[0])
        close++;
    return close;
}

/* A goal of 1 is one of OpenBLAS; the others are the best library's. */
static double goal(int m, int n, int k)
{
    if (m != n || m != k || m < 128)
        return 0.9;
    return m < 1000 ? 1 : 0.95;
}

static void measure(const char *label, const char *library, int m, int n, int k)
{
    struct shape shape = {m, n, k, NUMBERS((size_t)m * k), NUMBERS((size_t)k * n), NUMBERS((size_t)m * n)};
    struct emitted emitted[EMITTED] = {
        {"packed", run_packed}, {"small", run_small}, {"unpacked", run_unpacked}, {"wide", run_wide}, {"thin", run_thin}};
    int n_emitted = 5, best = 2, rounds;
    static struct bench_work work[BENCH_WORKS];
    const double gop = 2e-9 * m * n * k;
    char name[80], speed[80], beside[80];

#ifdef DEEP
    emitted[n_emitted++] = (struct emitted){"deep", run_deep};
#endif
    if (n == 1)
        emitted[n_emitted++] = (struct emitted){"matrix by vector", run_vector};
    n_emitted = choose(emitted, n_emitted, &shape);
    work[0] = (struct bench_work){.run = run_library, .data = &shape};
    work[1] = (struct bench_work){.run = bench_fmas};
    for (int e = 0; e < n_emitted; e++)
        work[2 + e] = (struct bench_work){.run = emitted[e].run, .data = &shape};
    rounds = bench_measure(work, 2 + n_emitted);
    for (int w = 3; w < 2 + n_emitted; w++)
        if (work[w].seconds < work[best].seconds)
            best = w;
    snprintf(name, sizeof name, NAME " %d x %d x %d", m, n, k);
    snprintf(speed, sizeof speed, "%.1f Gop/s, %.0f %% of the peak, %s", gop / work[best].seconds,
             100 * PEAK_SHARE * gop / bench_fma_gop() * bench_ratio(&work[best], &work[1], rounds),
             emitted[best - 2].name);
    snprintf(beside, sizeof beside, "%s %.1f Gop/s, %.0f %%", library, gop / work[0].seconds,
             100 * PEAK_SHARE * gop / bench_fma_gop() * bench_ratio(&work[0], &work[1], rounds));
    bench_row(name, label, speed, beside, bench_ratio(&work[best], &work[0], rounds), goal(m, n, k),
              naive_seconds(&shape) / work[best].seconds);
    free((void *)(uintptr_t)shape.a);
    free((void *)(uintptr_t)shape.b);
    free(shape.c);
}

int main(int argc, char **argv)
{
    static const int shapes[][3] = {{64, 64, 64},       {100, 100, 100},    {128, 128, 128},    {256, 256, 256},
                                    {1000, 1000, 1000}, {1024, 1024, 1024}, {2048, 2048, 2048}, {33, 1000, 1000},
                                    {1000, 33, 1000},   {1000, 1000, 33},   {7, 1000, 1000},    {1000, 7, 1000},
                                    {1000, 1000, 7},    {1, 1000, 1000},    {1000, 1, 1000},    {1000, 1000, 1}};

    if (argc < 3)
        return 2;
    for (size_t k = 0; k < sizeof(shapes) / sizeof(shapes[0]); k++)
        if (goal(shapes[k][0], shapes[k][1], shapes[k][2]) != 1 || !strcmp(argv[2], "openblas"))
            measure(argv[1], argv[2], shapes[k][0], shapes[k][1], shapes[k][2]);
    return 0;
}
