/* Stencils of f64 on T steps of an N^DIMENSIONS grid: STENCIL against the plain nest, which has one thread.
 * usage: stencil LABEL T N GOAL */
#include "bench.h"

#include <string.h>

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)
#define NAME TEXT(STENCIL)

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
    const int64_t t = argc > 4 ? atoll(argv[2]) : 0, n = argc > 4 ? atoll(argv[3]) : 0;
    const size_t size = (size_t)(DIMENSIONS == 2 ? n * n : n * n * n);
    struct grid one = {t, n, bench_doubles(size), bench_doubles(size)};
    struct grid other = {t, n, bench_room(8 * size), bench_room(8 * size)};
    static struct bench_work work[2];
    char name[80], speed[80];
    double ratio;

    if (argc < 5)
        return 2;
    memcpy(other.a, one.a, 8 * size);
    memcpy(other.b, one.b, 8 * size);
    work[0] = (struct bench_work){.run = run_emitted, .data = &one};
    work[1] = (struct bench_work){.run = run_naive, .data = &other};
    ratio = bench_ratio(&work[0], &work[1], bench_measure(work, 2));
    snprintf(name, sizeof name, "%s N = %s, T = %s", NAME, argv[3], argv[2]);
    snprintf(speed, sizeof speed, "%.1f ms", 1e3 * work[0].seconds);
    bench_row(name, argv[1], speed, "the plain nest", ratio, atof(argv[4]), ratio);
    return 0;
}
