#include "target/device/file.h"

static const struct device_words device_words = {
    .title = "HIP",
    .prefix = "hip",
    .header = "hip/hip_runtime.h",
    .arch_flag = "--offload-arch=",
    .position = device_positions,
    .barrier = "__syncthreads()",
    .any = "__any({a})",
    .exchange = "__shfl_xor({a}, {b})",
    .error = "hipError_t",
    .success = "hipSuccess",
    .too_large = "hipErrorInvalidConfiguration",
    .last_error = "hipGetLastError()",
    .stream = "hipStream_t",
    .allocate = "hipMalloc",
    .release = "hipFree",
    .allocate_async = "hipMallocAsync",
    .clear_async = "hipMemsetAsync",
    .release_async = "hipFreeAsync",
    .copy_memory = "hipMemcpy",
    .to_device = "hipMemcpyHostToDevice",
    .to_host = "hipMemcpyDeviceToHost",
    .launch = "hipLaunchKernelGGL({a}, {b}, {c}, {d}, {e}, {f})",
};

static const struct dialect dialect = {
    .alignas_word = "alignas",
    .unread_word = "(void)",
    .unroll_word = "unroll",
    .table_word = "static __device__",
    .function_words = "static __device__ __forceinline__ void",
    .restrict_word = "__restrict__",
    .invalid = "hipErrorInvalidValue",
    .no_contraction = "hip/no_contraction",
    .device = &device_words,
};

const struct target target_hip = {"hip", "hipcc; \"arch\" gfx900 to gfx1201, gfx90a when none is given", device_print,
                                  &dialect};
