/* Products of matrices of bytes, u8 by i8, against oneDNN, whose weights are laid out before, and the plain nest.
 * With -DOTHER=name, of another description, the faster one counts, if the system lets it run. -DWEIGHTS=64: none is
 * greater, which is what oneDNN asks for where there is no VNNI, for sums that are right. usage: int8 LABEL */
#include "bench.h"
#include "onednn.h"

#ifndef OTHER
#define OTHER EMITTED
#endif
#ifndef WEIGHTS
#define WEIGHTS 127
#endif

int EMITTED(int64_t M, int64_t N, int64_t K, const uint8_t *A, const int8_t *B, int32_t *C);
int OTHER(int64_t M, int64_t N, int64_t K, const uint8_t *A, const int8_t *B, int32_t *C);
void NAIVE(int64_t M, int64_t N, int64_t K, const uint8_t *A, const int8_t *B, int32_t *C);

struct product {
    int64_t n;
    uint8_t *a;
    int8_t *b;
    int32_t *c;
    dnnl_primitive_t primitive;
    dnnl_stream_t stream;
    dnnl_exec_arg_t argument[3];
};

static dnnl_memory_desc_t describe(const struct product *p, dnnl_data_type_t type, dnnl_format_tag_t tag)
{
    const dnnl_dims_t dims = {p->n, p->n};
    dnnl_memory_desc_t description;

    onednn_check(dnnl_memory_desc_init_by_tag(&description, 2, dims, type, tag));
    return description;
}

static void prepare(struct product *p)
{
    const dnnl_memory_desc_t a = describe(p, dnnl_u8, dnnl_ab), b = describe(p, dnnl_s8, dnnl_ab),
                             any = describe(p, dnnl_s8, dnnl_format_tag_any), c = describe(p, dnnl_s32, dnnl_ab);
    dnnl_matmul_desc_t operation;
    dnnl_primitive_desc_t description;
    dnnl_engine_t engine;

    onednn_check(dnnl_engine_create(&engine, dnnl_cpu, 0));
    onednn_check(dnnl_stream_create(&p->stream, engine, dnnl_stream_default_flags));
    onednn_check(dnnl_matmul_desc_init(&operation, &a, &any, NULL, &c));
    onednn_check(dnnl_primitive_desc_create(&description, &operation, NULL, engine, NULL));
    onednn_check(dnnl_primitive_create(&p->primitive, description));
    p->argument[0] = (dnnl_exec_arg_t){DNNL_ARG_SRC, onednn_memory(engine, &a, p->a)};
    p->argument[1] = (dnnl_exec_arg_t){
        DNNL_ARG_WEIGHTS,
        onednn_laid_out(engine, p->stream, p->b, &b,
                        dnnl_primitive_desc_query_md(description, dnnl_query_weights_md, 0))};
    p->argument[2] = (dnnl_exec_arg_t){DNNL_ARG_DST, onednn_memory(engine, &c, p->c)};
}

static void run_emitted(void *data)
{
    const struct product *p = data;

    EMITTED(p->n, p->n, p->n, p->a, p->b, p->c);
}

static void run_other(void *data)
{
    const struct product *p = data;

    OTHER(p->n, p->n, p->n, p->a, p->b, p->c);
}

static void run_library(void *data)
{
    const struct product *p = data;

    onednn_check(dnnl_primitive_execute(p->primitive, p->stream, 3, p->argument));
    onednn_check(dnnl_stream_wait(p->stream));
}

static void run_naive(void *data)
{
    const struct product *p = data;

    NAIVE(p->n, p->n, p->n, p->a, p->b, p->c);
}

static void measure(const char *label, int64_t n)
{
    const size_t size = (size_t)(n * n);
    struct product p = {.n = n, .a = bench_room(size), .b = bench_room(size), .c = bench_room(4 * size)};
    static struct bench_work work[4];
    const double gop = 2e-9 * (double)n * (double)n * (double)n;
    char name[80], speed[80], beside[80];
    int rounds, best, others;

    for (size_t k = 0; k < size; k++) {
        p.a[k] = (uint8_t)rand();
        p.b[k] = (int8_t)(rand() % (2 * WEIGHTS + 1) - WEIGHTS);
        p.c[k] = 0;
    }
    prepare(&p);
    work[0] = (struct bench_work){.run = run_emitted, .data = &p};
    work[1] = (struct bench_work){.run = run_library, .data = &p};
    work[2] = (struct bench_work){.run = run_other, .data = &p};
    work[3] = (struct bench_work){.run = run_naive, .data = &p};
    others = HAS_OTHER && OTHER(n, n, n, p.a, p.b, p.c) == 0;
    rounds = bench_measure(work, others ? 3 : 2);
    best = others && work[2].seconds < work[0].seconds ? 2 : 0;
    work[3].seconds = bench_time(&work[3], 1);
    snprintf(name, sizeof name, "int8 GEMM %d%s", (int)n, WEIGHTS < 127 ? ", weights within 64" : "");
    snprintf(speed, sizeof speed, "%.1f Gop/s%s", gop / work[best].seconds, best == 2 ? ", other plan" : "");
    snprintf(beside, sizeof beside, "oneDNN %.1f Gop/s", gop / work[1].seconds);
    bench_row(name, label, speed, beside, bench_ratio(&work[best], &work[1], rounds), 0.9,
              work[3].seconds / work[best].seconds);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    measure(argv[1], 256);
    measure(argv[1], 1024);
    return 0;
}
