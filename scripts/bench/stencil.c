/* Stencils of f64 on T steps of an N^DIMENSIONS grid: STENCIL against the plain nest. usage: stencil LABEL T N */
#include "bench.h"

#include <string.h>

void STENCIL(int64_t T, int64_t N, double *A, double *B);
void NAIVE(int64_t T, int64_t N, double *A, double *B);

struct grid {
    int64_t t, n;
    double *a, *b;
};

static void run_emitted(void *data)
{
    const struct grid *g = data;

    STENCIL(g->t, g->n, g->a, g->b);
}

static void run_naive(void *data)
{
    const struct grid *g = data;

    NAIVE(g->t, g->n, g->a, g->b);
}

int main(int argc, char **argv)
{
    const int64_t t = argc > 3 ? atoll(argv[2]) : 0, n = argc > 3 ? atoll(argv[3]) : 0;
    const size_t size = (size_t)(DIMENSIONS == 2 ? n * n : n * n * n);
    struct grid one = {t, n, bench_doubles(size), bench_doubles(size)};
    struct grid other = {t, n, bench_room(8 * size), bench_room(8 * size)};
    struct bench_work work[2] = {{run_emitted, &one, 0}, {run_naive, &other, 0}};

    if (argc < 4)
        return 2;
    memcpy(other.a, one.a, 8 * size);
    memcpy(other.b, one.b, 8 * size);
    bench_measure(work, 2);
    printf("| %s | T = %s, N = %s | %.1f ms | | | | %.2f |\n", argv[1], argv[2], argv[3], 1e3 * work[0].seconds,
           work[1].seconds / work[0].seconds);
    return 0;
}
