/* Works that memory bounds, on M rows of N floats, against a loop that only moves as many bytes, in the same run, and
 * the plain nest. -DEMITTED=name -DNAIVE=name and one of -DCHAIN, -DSGEMV, -DROWS (softmax), -DNORM (layer norm),
 * -DTRANSPOSE, -DFIR. With -DOTHER=name, of another description, the faster one counts.
 * usage: stream LABEL */
#include "bench.h"

struct rows {
    int64_t m, n;
    float *x, *y, *z;
};

#if defined(CHAIN)
#define ARGUMENTS (int64_t N, float a, const float *x, const float *y, float *z)
#define CALL(f, r) f((r)->m *(r)->n, 0.7f, (r)->x, (r)->y, (r)->z)
#define WORK "chain"
#define GOAL 0.95
enum { MOVED = 3 };
#elif defined(SGEMV)
#define ARGUMENTS (int64_t M, int64_t K, const float *A, const float *x, float *y)
#define CALL(f, r) f((r)->m, (r)->n, (r)->x, (r)->y, (r)->z)
#define WORK "sgemv"
#define GOAL 0.95
enum { MOVED = 1 };
#elif defined(ROWS)
#define ARGUMENTS (int64_t M, int64_t N, const float *x, float *y)
#define CALL(f, r) f((r)->m, (r)->n, (r)->x, (r)->z)
#define WORK "softmax"
#define GOAL 0.8
enum { MOVED = 2 };
#elif defined(TRANSPOSE)
#define ARGUMENTS (int64_t M, int64_t N, const float *A, float *B)
#define CALL(f, r) f((r)->m, (r)->n, (r)->x, (r)->z)
#define WORK "transposition"
#define GOAL 0
enum { MOVED = 2 };
#elif defined(FIR)
#define ARGUMENTS (int64_t N, const float *h, const float *x, float *y)
#define CALL(f, r) f((r)->m *(r)->n - 15, (r)->y, (r)->x, (r)->z)
#define WORK "FIR filter"
#define GOAL 0
enum { MOVED = 2 };
#else
#define ARGUMENTS (int64_t M, int64_t N, float epsilon, const float *x, const float *g, const float *b, float *y)
#define CALL(f, r) f((r)->m, (r)->n, 1e-5f, (r)->x, (r)->y, (r)->y + (r)->n, (r)->z)
#define WORK "layer norm"
#define GOAL 0.95
enum { MOVED = 2 };
#endif

#ifndef OTHER
#define OTHER EMITTED
#endif

void EMITTED ARGUMENTS;
void OTHER ARGUMENTS;
void NAIVE ARGUMENTS;

static void run_emitted(void *data)
{
    CALL(EMITTED, (struct rows *)data);
}

static void run_other(void *data)
{
    CALL(OTHER, (struct rows *)data);
}

static void run_naive(void *data)
{
    CALL(NAIVE, (struct rows *)data);
}

/* As many bytes as the work must move: reads x; and writes z; and reads y. */
static void run_limit(void *data)
{
    const struct rows *r = data;
    const int64_t n = r->m * r->n;
    volatile float sink;

#pragma omp parallel
    {
        bench_vector sum[4] = {{0}, {0}, {0}, {0}};
#pragma omp for schedule(static)
        for (int64_t i = 0; i < n; i += 4 * BENCH_LANES)
#pragma GCC unroll 4
            for (int k = 0; k < 4; k++) {
                bench_vector x = *(const bench_unaligned *)&r->x[i + BENCH_LANES * k];
                if (MOVED == 3)
                    x += *(const bench_unaligned *)&r->y[i + BENCH_LANES * k];
                if (MOVED == 1)
                    sum[k] += x;
                else
                    *(bench_unaligned *)&r->z[i + BENCH_LANES * k] = x;
            }
        sum[0] += sum[1] + sum[2] + sum[3];
        sink = sum[0][0];
    }
    (void)sink;
}

static void measure(const char *label, int64_t m, int64_t n, double goal)
{
    const size_t size = (size_t)(m * n);
    struct rows rows = {m, n, bench_floats(size), bench_floats(size + (size_t)(2 * n)), bench_floats(size)};
    static struct bench_work work[4];
    const double bytes = 4e-9 * MOVED * (double)size;
    char name[80], speed[80], beside[80];
    int rounds, best;

    work[0] = (struct bench_work){.run = run_limit, .data = &rows};
    work[1] = (struct bench_work){.run = run_emitted, .data = &rows};
    work[2] = (struct bench_work){.run = run_other, .data = &rows};
    work[3] = (struct bench_work){.run = run_naive, .data = &rows};
    rounds = bench_measure(work, HAS_OTHER ? 3 : 2);
    best = HAS_OTHER && work[2].seconds < work[1].seconds ? 2 : 1;
    work[3].seconds = bench_time(&work[3], 1);
    snprintf(name, sizeof name, WORK " %d x %d", (int)m, (int)n);
    snprintf(speed, sizeof speed, "%.1f GB/s%s", bytes / work[best].seconds, best == 2 ? ", other plan" : "");
    snprintf(beside, sizeof beside, "the bytes alone %.1f GB/s", bytes / work[0].seconds);
    bench_row(name, label, speed, beside, bench_ratio(&work[best], &work[0], rounds), goal,
              work[3].seconds / work[best].seconds);
    free(rows.x);
    free(rows.y);
    free(rows.z);
}

/* In the second cache what is computed counts more than what is moved: no goal. */
int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    measure(argv[1], 64, 1024, 0);
    measure(argv[1], 256, 4096, GOAL);
    measure(argv[1], 4096, 4096, GOAL);
    return 0;
}
