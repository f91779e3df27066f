/* Asynchronous copies: in shim.h. */
#include <cuda_runtime.h>
