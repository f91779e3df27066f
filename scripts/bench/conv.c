/* Convolutions 3 x 3 of f32, zeros around: EMITTED, channels last or first (-DCHANNELS_FIRST), against oneDNN, whose
 * weights are laid out before, and the plain nest; with -DOTHER=name, of another description, the faster one counts.
 * usage: conv LABEL */
#include "bench.h"
#include "onednn.h"

#ifdef CHANNELS_FIRST
enum { DATA = dnnl_nchw };
#define LAYOUT "conv2d NCHW"
#define GOAL 1.4
#else
enum { DATA = dnnl_nhwc };
#define LAYOUT "conv2d NHWC"
#define GOAL 1.0
#endif

#ifdef OTHER
void OTHER(int64_t H, int64_t W, int64_t C, int64_t K, const float *In, const float *Wt, float *Out);
#else
#define OTHER EMITTED
#endif

int EMITTED(int64_t H, int64_t W, int64_t C, int64_t K, const float *In, const float *Wt, float *Out);
int NAIVE(int64_t H, int64_t W, int64_t C, int64_t K, const float *In, const float *Wt, float *Out);

struct layer {
    int h, w, c, k;
    float *in, *weights, *out;
    dnnl_primitive_t primitive;
    dnnl_stream_t stream;
    dnnl_exec_arg_t argument[3];
};

static dnnl_memory_desc_t describe(const dnnl_dims_t dims, dnnl_format_tag_t tag)
{
    dnnl_memory_desc_t description;

    onednn_check(dnnl_memory_desc_init_by_tag(&description, 4, dims, dnnl_f32, tag));
    return description;
}

static void prepare(struct layer *layer)
{
    const dnnl_dims_t source = {1, layer->c, layer->h, layer->w}, weights = {layer->k, layer->c, 3, 3},
                      target = {1, layer->k, layer->h, layer->w}, one = {1, 1};
    const dnnl_memory_desc_t in = describe(source, DATA), out = describe(target, DATA),
                             given = describe(weights, dnnl_hwio), any = describe(weights, dnnl_format_tag_any);
    dnnl_convolution_desc_t operation;
    dnnl_primitive_desc_t description;
    dnnl_engine_t engine;

    onednn_check(dnnl_engine_create(&engine, dnnl_cpu, 0));
    onednn_check(dnnl_stream_create(&layer->stream, engine, dnnl_stream_default_flags));
    onednn_check(dnnl_convolution_forward_desc_init(&operation, dnnl_forward_inference, dnnl_convolution_auto, &in, &any,
                                                    NULL, &out, one, one, one));
    onednn_check(dnnl_primitive_desc_create(&description, &operation, NULL, engine, NULL));
    onednn_check(dnnl_primitive_create(&layer->primitive, description));
    layer->argument[0] = (dnnl_exec_arg_t){DNNL_ARG_SRC, onednn_memory(engine, &in, layer->in)};
    layer->argument[1] = (dnnl_exec_arg_t){
        DNNL_ARG_WEIGHTS,
        onednn_laid_out(engine, layer->stream, layer->weights, &given,
                        dnnl_primitive_desc_query_md(description, dnnl_query_weights_md, 0))};
    layer->argument[2] = (dnnl_exec_arg_t){DNNL_ARG_DST, onednn_memory(engine, &out, layer->out)};
}

static void run_emitted(void *data)
{
    const struct layer *l = data;

    EMITTED(l->h, l->w, l->c, l->k, l->in, l->weights, l->out);
}

static void run_other(void *data)
{
    const struct layer *l = data;

    OTHER(l->h, l->w, l->c, l->k, l->in, l->weights, l->out);
}

static void run_library(void *data)
{
    const struct layer *l = data;

    onednn_check(dnnl_primitive_execute(l->primitive, l->stream, 3, l->argument));
    onednn_check(dnnl_stream_wait(l->stream));
}

static void run_naive(void *data)
{
    const struct layer *l = data;

    NAIVE(l->h, l->w, l->c, l->k, l->in, l->weights, l->out);
}

static void measure(const char *label, int h, int w, int c, int k)
{
    const size_t in = (size_t)h * w * c, out = (size_t)h * w * k;
    struct layer layer = {h, w, c, k, bench_floats(in), bench_floats((size_t)9 * c * k), bench_floats(out)};
    static struct bench_work work[5];
    const struct bench_work *best = &work[0];
    const double gop = 18e-9 * h * w * c * k;
    char name[80], speed[80], beside[80];
    int rounds;

    prepare(&layer);
    work[0] = (struct bench_work){.run = run_emitted, .data = &layer};
    work[1] = (struct bench_work){.run = run_library, .data = &layer};
    work[2] = (struct bench_work){.run = bench_fmas};
    work[3] = (struct bench_work){.run = run_other, .data = &layer};
    work[4] = (struct bench_work){.run = run_naive, .data = &layer};
    rounds = bench_measure(work, HAS_OTHER ? 4 : 3);
    if (HAS_OTHER && work[3].seconds < best->seconds)
        best = &work[3];
    work[4].seconds = bench_time(&work[4], 1);
    snprintf(name, sizeof name, "%s %d x %d, %d to %d", LAYOUT, h, w, c, k);
    snprintf(speed, sizeof speed, "%.1f Gop/s, %.0f %% of the peak%s", gop / best->seconds,
             100 * gop / bench_fma_gop() * bench_ratio(best, &work[2], rounds), best == &work[3] ? ", other plan" : "");
    snprintf(beside, sizeof beside, "oneDNN %.1f Gop/s, %.0f %%", gop / work[1].seconds,
             100 * gop / bench_fma_gop() * bench_ratio(&work[1], &work[2], rounds));
    bench_row(name, label, speed, beside, bench_ratio(best, &work[1], rounds), GOAL, work[4].seconds / best->seconds);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    measure(argv[1], 56, 56, 64, 64);
    measure(argv[1], 28, 28, 128, 128);
    return 0;
}
