/* Matrix products of several shapes: GEMM, of type float with -DSINGLE, against cblas and the plain nest.
 * With -DVECTOR they are a product of a matrix and a vector, N = 1. usage: gemm LABEL LIBRARY */
#include "bench.h"

#ifdef SINGLE
typedef float real;
#define BLAS_GEMM cblas_sgemm
#define NUMBERS bench_floats
enum { PEAK_SHARE = 1 };
#else
typedef double real;
#define BLAS_GEMM cblas_dgemm
#define NUMBERS bench_doubles
enum { PEAK_SHARE = 2 };
#endif

#ifdef VECTOR
#define SIZES int64_t M, int64_t K
#define SIZES_OF(s) (s)->m, (s)->k
enum { IS_VECTOR = 1 };
#else
#define SIZES int64_t M, int64_t N, int64_t K
#define SIZES_OF(s) (s)->m, (s)->n, (s)->k
enum { IS_VECTOR = 0 };
#endif

int GEMM(SIZES, const real *A, const real *B, real *C);
void NAIVE(SIZES, const real *A, const real *B, real *C);
void BLAS_GEMM(int, int, int, int, int, int, real, const real *, int, const real *, int, real, real *, int);

struct shape {
    int m, n, k;
    const real *a, *b;
    real *c;
};

static void run_emitted(void *data)
{
    const struct shape *s = data;

    GEMM(SIZES_OF(s), s->a, s->b, s->c);
}

static void run_library(void *data)
{
    const struct shape *s = data;

    BLAS_GEMM(101, 111, 111, s->m, s->n, s->k, 1, s->a, s->k, s->b, s->n, 1, s->c, s->n);
}

static void run_naive(void *data)
{
    const struct shape *s = data;

    NAIVE(SIZES_OF(s), s->a, s->b, s->c);
}

/* The plain nest is timed once where it takes long. */
static double naive_seconds(struct shape *shape)
{
    struct bench_work work = {run_naive, shape, 0};

    if (2.0 * shape->m * shape->n * shape->k > 1e8)
        return bench_time(&work, 1);
    bench_measure(&work, 1);
    return work.seconds;
}

static void measure(const char *label, const char *library, int m, int n, int k, double peak)
{
    struct shape shape = {m, n, k, NUMBERS((size_t)m * k), NUMBERS((size_t)k * n), NUMBERS((size_t)m * n)};
    struct bench_work work[2] = {{run_emitted, &shape, 0}, {run_library, &shape, 0}};
    const double gop = 2e-9 * m * n * k;

    bench_measure(work, 2);
    printf("| %s | %d x %d x %d | %.1f | %.0f %% | %s %.1f | %.2f | %.1f |\n", label, m, n, k, gop / work[0].seconds,
           100 * gop / work[0].seconds / peak, library, gop / work[1].seconds, work[1].seconds / work[0].seconds,
           naive_seconds(&shape) / work[0].seconds);
    fflush(stdout);
    if (m == 1024 && n == 1024 && gop / work[1].seconds < 0.7 * peak)
        fprintf(stderr, "%s: %s reaches only %.0f %% of the peak: its ratios are not fair\n", label, library,
                100 * gop / work[1].seconds / peak);
    free((void *)(uintptr_t)shape.a);
    free((void *)(uintptr_t)shape.b);
    free(shape.c);
}

int main(int argc, char **argv)
{
    static const int shapes[][3] = {{64, 64, 64},       {100, 100, 100},    {128, 128, 128},   {256, 256, 256},
                                    {1000, 1000, 1000}, {1024, 1024, 1024}, {2048, 2048, 2048}, {33, 1000, 1000},
                                    {1000, 33, 1000},   {1000, 1000, 33},   {7, 1000, 1000},   {1000, 7, 1000},
                                    {1000, 1000, 7},    {1, 1000, 1000},    {1000, 1, 1000},   {1000, 1000, 1}};
    const double peak = bench_peak() / PEAK_SHARE;

    if (argc < 3)
        return 2;
    for (size_t k = 0; k < sizeof(shapes) / sizeof(shapes[0]); k++)
        if (!IS_VECTOR || shapes[k][1] == 1)
            measure(argv[1], argv[2], shapes[k][0], shapes[k][1], shapes[k][2], peak);
    return 0;
}
