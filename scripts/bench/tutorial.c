/* The best processor time of three products of 1000 x 1000 matrices by the function in gemm.h, in seconds. */
#include "gemm.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { SIZE = 1000, RUNS = 3 };

/* Of one thread the processor time, of several the time by the clock. */
static double now(void)
{
#ifdef _OPENMP
    return omp_get_wtime();
#else
    return (double)clock() / CLOCKS_PER_SEC;
#endif
}

static float *matrix(float value)
{
    float *a = malloc(sizeof(float) * SIZE * SIZE);

    if (!a)
        exit(1);
    for (int i = 0; i < SIZE * SIZE; i++)
        a[i] = value + (float)(i % 7);
    return a;
}

int main(void)
{
    float *a = matrix(1), *b = matrix(2), *c = matrix(0);
    double best = 1e9;

    for (int run = 0; run < RUNS; run++) {
        const double start = now();

        gemm(SIZE, SIZE, SIZE, a, b, c);
        const double seconds = now() - start;
        best = seconds < best ? seconds : best;
    }
    printf("%.6f\n", best);
    free(a);
    free(b);
    free(c);
    return 0;
}
