/* Stencils of f64 on T steps of an N^DIMENSIONS grid: STENCIL against the plain nest, which has one thread; with
 * -DOTHER=name, of another description, the faster one counts. usage: stencil LABEL T N GOAL */
#include "bench.h"

#include <string.h>

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)
#define NAME TEXT(STENCIL)

#ifndef OTHER
#define OTHER STENCIL
#endif

void STENCIL(int64_t T, int64_t N, double *A, double *B);
void OTHER(int64_t T, int64_t N, double *A, double *B);
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

static void run_other(void *data)
{
    const struct grid *g = data;

    OTHER(g->t, g->n, g->a, g->b);
}

static void run_naive(void *data)
{
    const struct grid *g = data;

    NAIVE(g->t, g->n, g->a, g->b);
}

static struct grid copy(const struct grid *grid, size_t size)
{
    struct grid result = {grid->t, grid->n, bench_room(8 * size), bench_room(8 * size)};

    memcpy(result.a, grid->a, 8 * size);
    memcpy(result.b, grid->b, 8 * size);
    return result;
}

int main(int argc, char **argv)
{
    const int64_t t = argc > 4 ? atoll(argv[2]) : 0, n = argc > 4 ? atoll(argv[3]) : 0;
    const size_t size = (size_t)(DIMENSIONS == 2 ? n * n : n * n * n);
    struct grid grid[3] = {{t, n, bench_doubles(size), bench_doubles(size)}};
    static struct bench_work work[3];
    char name[80], speed[80];
    double ratio;
    int rounds, best;

    if (argc < 5)
        return 2;
    grid[1] = copy(&grid[0], size);
    grid[2] = copy(&grid[0], size);
    work[0] = (struct bench_work){.run = run_naive, .data = &grid[0]};
    work[1] = (struct bench_work){.run = run_emitted, .data = &grid[1]};
    work[2] = (struct bench_work){.run = run_other, .data = &grid[2]};
    rounds = bench_measure(work, HAS_OTHER ? 3 : 2);
    best = HAS_OTHER && work[2].seconds < work[1].seconds ? 2 : 1;
    ratio = bench_ratio(&work[best], &work[0], rounds);
    snprintf(name, sizeof name, "%s N = %s, T = %s", NAME, argv[3], argv[2]);
    snprintf(speed, sizeof speed, "%.1f ms%s", 1e3 * work[best].seconds, best == 2 ? ", other plan" : "");
    bench_row(name, argv[1], speed, "the plain nest", ratio, atof(argv[4]), ratio);
    return 0;
}
