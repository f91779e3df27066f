/* Times matrix products of several sizes against OpenBLAS (-DBLAS) and the fused multiply-adds that the machine can do.
 * GEMM is the function, REAL its type; NAIVE is the same description without its schedule. */
#define _POSIX_C_SOURCE 200112L
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef SINGLE
#define REAL float
#define BLAS_GEMM cblas_sgemm
#else
#define REAL double
#define BLAS_GEMM cblas_dgemm
#endif

int GEMM(int64_t M, int64_t N, int64_t K, const REAL *A, const REAL *B, REAL *C);
void NAIVE(int64_t M, int64_t N, int64_t K, const REAL *A, const REAL *B, REAL *C);
void BLAS_GEMM(int, int, int, int, int, int, REAL, const REAL *, int, const REAL *, int, REAL, REAL *, int);

enum { RUNS = 5 };

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Gop/s of multiply-adds that stay in registers. */
static double peak(void)
{
    __m512 x[12], m = _mm512_set1_ps(0.999f);
    const double start = now();
    volatile float sink;

    for (int k = 0; k < 12; k++)
        x[k] = _mm512_set1_ps((float)k);
    for (int n = 0; n < 20000000; n++)
#pragma GCC unroll 12
        for (int k = 0; k < 12; k++)
            x[k] = _mm512_fmadd_ps(x[k], m, m);
    for (int k = 1; k < 12; k++)
        x[0] = _mm512_add_ps(x[0], x[k]);
    sink = _mm512_reduce_add_ps(x[0]);
    (void)sink;
    return 20000000.0 * 12 * 32 / (now() - start) * 1e-9 * 4 / sizeof(REAL);
}

static REAL *matrix(size_t n)
{
    REAL *a = aligned_alloc(64, (n * sizeof *a + 63) / 64 * 64);

    for (size_t k = 0; a && k < n; k++)
        a[k] = (REAL)rand() / (REAL)RAND_MAX - (REAL)0.5;
    return a;
}

static void run(int which, int n, const REAL *A, const REAL *B, REAL *C)
{
    if (which == 0)
        GEMM(n, n, n, A, B, C);
    else if (which == 1)
        BLAS_GEMM(101, 111, 111, n, n, n, 1, A, n, B, n, 1, C, n);
    else
        NAIVE(n, n, n, A, B, C);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

/* Medians of interleaved runs, Gop/s of [0] the function, [1] the library, [2] the plain nest. */
static void measure(int n, double speed[3])
{
    REAL *A = matrix((size_t)n * n), *B = matrix((size_t)n * n), *C = matrix((size_t)n * n);
    const double work = 2.0 * n * n * n;
    const int times = (int)(4e8 / work) + 1;
    double time[3][RUNS];

    for (int r = 0; r < RUNS; r++)
        for (int which = 0; which < 3; which++) {
            if (which == 2 && r > 0) {
                time[which][r] = time[which][0];
                continue;
            }
            const double start = now();
            for (int k = 0; k < (which == 2 ? 1 : times); k++)
                run(which, n, A, B, C);
            time[which][r] = (now() - start) / (which == 2 ? 1 : times);
        }
    for (int which = 0; which < 3; which++) {
        qsort(time[which], RUNS, sizeof(double), compare);
        speed[which] = work / time[which][RUNS / 2] * 1e-9;
    }
    free(A);
    free(B);
    free(C);
}

int main(void)
{
    static const int sizes[] = {33, 64, 100, 128, 256, 1000, 1024};

    printf("%6s %10s %10s %10s %8s %8s   peak %.0f Gop/s\n", "N", "emitted", "OpenBLAS", "naive", "/BLAS", "/naive",
           peak());
    for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
        double speed[3];
        measure(sizes[k], speed);
        printf("%6d %10.1f %10.1f %10.1f %8.2f %8.1f\n", sizes[k], speed[0], speed[1], speed[2], speed[0] / speed[1],
               speed[0] / speed[2]);
    }
    return 0;
}
