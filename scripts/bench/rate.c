/* Prints how fast cblas_sgemm is at a small and a large size: the product of the rates, as a whole number. */
#include "bench.h"

void cblas_sgemm(int, int, int, int, int, int, float, const float *, int, const float *, int, float, float *, int);

struct square {
    int n;
    const float *a, *b;
    float *c;
};

static void run(void *data)
{
    const struct square *s = data;

    cblas_sgemm(101, 111, 111, s->n, s->n, s->n, 1, s->a, s->n, s->b, s->n, 1, s->c, s->n);
}

int main(void)
{
    static const int size[] = {256, 1024};
    double product = 1e3;

    for (int k = 0; k < 2; k++) {
        const size_t n = (size_t)size[k];
        struct square square = {size[k], bench_floats(n * n), bench_floats(n * n), bench_floats(n * n)};
        static struct bench_work work;

        work = (struct bench_work){.run = run, .data = &square};
        bench_measure(&work, 1);
        product *= 2e-9 * (double)(n * n * n) / work.seconds;
    }
    printf("%.0f\n", product);
    return 0;
}
