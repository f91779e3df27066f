/* For `make check-gpu`: the harness' arrays in memory that host and device share. Linked with --wrap=calloc and
 * --wrap=free. */
#include <cuda_runtime.h>
#include <string.h>

void *__wrap_calloc(size_t n, size_t size);
void __wrap_free(void *memory);

void *__wrap_calloc(size_t n, size_t size)
{
    void *memory = NULL;

    if (cudaMallocManaged(&memory, n * size + 1, cudaMemAttachGlobal) != cudaSuccess)
        return NULL;
    return memset(memory, 0, n * size + 1);
}

void __wrap_free(void *memory)
{
    cudaFree(memory);
}
