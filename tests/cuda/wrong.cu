// For tests/self/shim: kernels that are wrong in one way each, and one that is not.
#include <cuda_pipeline.h>

#include <cstdio>
#include <cstring>

/* 16 bytes at once: both addresses are multiples of that */
__host__ __device__ static inline void copy_16(void *to, const void *from)
{
    *(int4 *)to = *(const int4 *)from;
}

// y = x turned round within blocks of 64 elements, four of which each of 16 threads copies.
static __global__ void turn(const char *wrong, const float *x, float *y)
{
    __shared__ alignas(16) float tile[64];
    const int t = 4 * (int)threadIdx.x;
    const bool odd = strcmp(wrong, "address") == 0;

    if (strcmp(wrong, "wide") == 0)
        copy_16(&tile[t], &x[t]);
    else
        __pipeline_memcpy_async(&tile[t], &x[t + odd], 16);
    if (strcmp(wrong, "write") == 0)
        tile[t] = 0;
    if (strcmp(wrong, "commit") != 0)
        __pipeline_commit();
    if (strcmp(wrong, "wait") != 0)
        __pipeline_wait_prior(strcmp(wrong, "prior") == 0);
    if (strcmp(wrong, "barrier") != 0)
        __syncthreads();
    for (int k = t; k < t + 4; k++)
        y[k] = tile[63 - k];
}

int main(int argc, char **argv)
{
    alignas(16) static float x[68], y[64];
    const char *wrong = argc > 1 ? argv[1] : "nothing";
    const dim3 grid(1), block(16);
    cudaStream_t stream = nullptr;

    for (int k = 0; k < 64; k++)
        x[k] = float(k);
    turn<<<grid, block, 0, stream>>>(wrong, x, y);
    for (int k = 0; k < 64; k++)
        if (y[k] != x[63 - k]) {
            std::fprintf(stderr, "wrong result\n");
            return 1;
        }
    return 0;
}
