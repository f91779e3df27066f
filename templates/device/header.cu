/* The header of a launcher.
 *
 * NAME = MM
 * HALVES = #include <cuda_fp16.h>
 * HEADER = cuda_runtime.h
 * BOOL = #include <stdbool.h>
 * FUNCTIONS = cudaError_t mm(int64_t n, float *a, cudaStream_t stream);
 */
#ifndef POLYNEST_@NAME@_H
#define POLYNEST_@NAME@_H

@HALVES@
#include <@HEADER@>
@BOOL@
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

@FUNCTIONS@

#ifdef __cplusplus
}
#endif

#endif
