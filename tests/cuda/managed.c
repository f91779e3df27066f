/* For tests on a device (see oracle/driver.c): arrays in memory that host and device share. */
#include <cuda_runtime.h>

void *harness_allocate(size_t size);
void harness_release(void *memory);
int harness_too_large(int result);

void *harness_allocate(size_t size)
{
    void *memory = NULL;

    return cudaMallocManaged(&memory, size, cudaMemAttachGlobal) == cudaSuccess ? memory : NULL;
}

void harness_release(void *memory)
{
    cudaFree(memory);
}

int harness_too_large(int result)
{
    return result == cudaErrorInvalidConfiguration;
}
