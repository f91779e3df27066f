/* What the benchmarks against oneDNN share. */
#ifndef BENCH_ONEDNN_H
#define BENCH_ONEDNN_H

#include <dnnl.h>
#include <stdio.h>
#include <stdlib.h>

static inline void onednn_check(dnnl_status_t status)
{
    if (status == dnnl_success)
        return;
    fprintf(stderr, "oneDNN reports %d\n", (int)status);
    exit(1);
}

static inline dnnl_memory_t onednn_memory(dnnl_engine_t engine, const dnnl_memory_desc_t *description, void *data)
{
    dnnl_memory_t result;

    onednn_check(dnnl_memory_create(&result, description, engine, data));
    return result;
}

/* data, laid out as `from` says, in the layout `to`. */
static inline dnnl_memory_t onednn_laid_out(dnnl_engine_t engine, dnnl_stream_t stream, void *data,
                                            const dnnl_memory_desc_t *from, const dnnl_memory_desc_t *to)
{
    dnnl_memory_t result = onednn_memory(engine, to, DNNL_MEMORY_ALLOCATE);
    dnnl_primitive_desc_t description;
    dnnl_primitive_t reorder;
    const dnnl_exec_arg_t argument[2] = {{DNNL_ARG_FROM, onednn_memory(engine, from, data)}, {DNNL_ARG_TO, result}};

    onednn_check(dnnl_reorder_primitive_desc_create(&description, from, engine, to, engine, NULL));
    onednn_check(dnnl_primitive_create(&reorder, description));
    onednn_check(dnnl_primitive_execute(reorder, stream, 2, argument));
    onednn_check(dnnl_stream_wait(stream));
    return result;
}

#endif
