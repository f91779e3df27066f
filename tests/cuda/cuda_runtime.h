/* CUDA without a device: emitted CUDA, its launch lines rewritten (shim-source), compiled as C++ runs on the CPU with
 * real blocks, threads, shared memory and barriers. See shim.h. This much of the header C understands, too. */
#ifndef POLYNEST_SHIM_RUNTIME_H
#define POLYNEST_SHIM_RUNTIME_H

#include <stddef.h>

typedef int cudaError_t;
typedef struct shim_stream *cudaStream_t;

enum { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2, cudaErrorInvalidConfiguration = 9 };

typedef enum { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 } cudaMemcpyKind;

/* With cudaFuncSetAttribute, see shim.h. */
typedef enum { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 } cudaFuncAttribute;

/* Everything has run when a launch returns. */
static inline cudaError_t cudaDeviceSynchronize(void)
{
    return cudaSuccess;
}

#ifdef __cplusplus
#include "shim.h"
#endif

#endif
