/* HIP without a device: its names for what the shim has under CUDA's, and its exchanges, which have no mask. C
 * understands what CUDA's header shows it. */
#ifndef POLYNEST_SHIM_HIP_RUNTIME_H
#define POLYNEST_SHIM_HIP_RUNTIME_H

#include <cuda_runtime.h>

typedef cudaError_t hipError_t;
typedef cudaStream_t hipStream_t;

#define hipSuccess cudaSuccess
#define hipErrorInvalidValue cudaErrorInvalidValue
#define hipErrorInvalidConfiguration cudaErrorInvalidConfiguration
#define hipGetLastError cudaGetLastError
#define hipDeviceSynchronize cudaDeviceSynchronize
#define hipMalloc cudaMalloc
#define hipFree cudaFree
#define hipMallocAsync cudaMallocAsync
#define hipMemsetAsync cudaMemsetAsync
#define hipFreeAsync cudaFreeAsync
#define hipMemcpy cudaMemcpy
#define hipMemcpyHostToDevice cudaMemcpyHostToDevice
#define hipMemcpyDeviceToHost cudaMemcpyDeviceToHost

#define __shfl_xor(value, lanes) shim::shuffle_xor(0xffffffffu, value, lanes, __LINE__)
#define __any(value) shim::any(0xffffffffu, value, __LINE__)

#endif
