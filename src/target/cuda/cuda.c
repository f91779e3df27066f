#include "target/cuda/tensor.h"

static const struct half_words half_words[] = {
    {"__half", "__half2float", "__float2half_rn", "__double2half", "__half_raw", "cuda_fp16.h"},
    {"__nv_bfloat16", "__bfloat162float", "__float2bfloat16_rn", NULL, "__nv_bfloat16_raw", "cuda_bf16.h"},
};

static const struct device_words device_words = {
    .title = "CUDA",
    .prefix = "cuda",
    .header = "cuda_runtime.h",
    .arch_flag = "-arch=",
    .position = device_positions,
    .product = {"__fmul_rn", "__dmul_rn"},
    .barrier = "__syncthreads()",
    .merges_loads = true,
    .drops_signs = true,
    .any = "__any_sync(0xffffffffu, {a})",
    .exchange = "__shfl_xor_sync(0xffffffffu, {a}, {b})",
    .copy = "__pipeline_memcpy_async({a}, {b}, {c})",
    .commit = "__pipeline_commit()",
    .wait = "__pipeline_wait_prior",
    .copy_header = "cuda_pipeline.h",
    .tensor_head = "cuda/fragments",
    .tensor = cuda_print_tensor,
    .error = "cudaError_t",
    .success = "cudaSuccess",
    .too_large = "cudaErrorInvalidConfiguration",
    .last_error = "cudaGetLastError()",
    .stream = "cudaStream_t",
    .allocate = "cudaMalloc",
    .release = "cudaFree",
    .allocate_async = "cudaMallocAsync",
    .clear_async = "cudaMemsetAsync",
    .release_async = "cudaFreeAsync",
    .copy_memory = "cudaMemcpy",
    .to_device = "cudaMemcpyHostToDevice",
    .to_host = "cudaMemcpyDeviceToHost",
    .permit_shared = "cudaFuncSetAttribute({a}, cudaFuncAttributeMaxDynamicSharedMemorySize, {b})",
    .launch = "{a}<<<{b}, {c}, {d}, {e}>>>({f})",
};

static const struct dialect dialect = {
    .alignas_word = "alignas",
    .unread_word = "(void)&", /* nvcc counts no other use */
    .unroll_word = "unroll",
    .table_word = "static __device__",
    .function_words = "static __device__ __forceinline__ void",
    .restrict_word = "__restrict__",
    .invalid = "cudaErrorInvalidValue",
    .half = half_words,
    .device = &device_words,
};

const struct target target_cuda = {"cuda", "nvcc; \"arch\" sm_70 to sm_121, sm_80 when none is given", device_print,
                                   &dialect};
