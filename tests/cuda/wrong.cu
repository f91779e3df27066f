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

/* y = 0 .. 31 by way of two arrays in the memory that the launch asks for. */
static __global__ void parts(float *y)
{
    extern __shared__ __align__(16) unsigned char shared[];
    float (&a)[16] = *(float (*)[16])shared;
    float (&b)[16] = *(float (*)[16])(shared + 64);

    a[threadIdx.x] = float(threadIdx.x);
    b[threadIdx.x] = float(threadIdx.x + 16);
    y[threadIdx.x] = a[threadIdx.x];
    y[threadIdx.x + 16] = b[threadIdx.x];
}

static __global__ void overlapping(float *y)
{
    extern __shared__ __align__(16) unsigned char shared[];
    float (&a)[16] = *(float (*)[16])shared;
    float (&b)[16] = *(float (*)[16])(shared + 48);

    a[threadIdx.x] = b[threadIdx.x] = y[threadIdx.x] = 0;
}

static bool parts_are_right(const char *wrong, float *y)
{
    const dim3 grid(1), block(16);
    cudaStream_t stream = nullptr;

    if (strcmp(wrong, "overlap") == 0)
        overlapping<<<grid, block, 112, stream>>>(y);
    else if (strcmp(wrong, "beyond") == 0)
        parts<<<grid, block, 124, stream>>>(y);
    else if (strcmp(wrong, "permission") == 0)
        parts<<<grid, block, 49153, stream>>>(y);
    else
        parts<<<grid, block, 128, stream>>>(y);
    if (cudaGetLastError() != cudaSuccess) {
        std::fprintf(stderr, "the launch is refused\n");
        return false;
    }
    return y[0] == 0 && y[31] == 31;
}

static __global__ void idle()
{
}

/* A launcher that refuses more threads than so many. */
static cudaError_t launched(unsigned threads, unsigned most)
{
    const dim3 grid(1), block(threads);
    cudaStream_t stream = nullptr;

    if (threads > most)
        return cudaErrorInvalidConfiguration;
    idle<<<grid, block, 0, stream>>>();
    return cudaGetLastError();
}

static bool launches_are_right(const char *wrong)
{
    const unsigned most = strcmp(wrong, "large") == 0 ? 1025 : strcmp(wrong, "small") == 0 ? 1023 : 1024;

    return launched(1024, most) == cudaSuccess && launched(1025, most) == cudaErrorInvalidConfiguration;
}

int main(int argc, char **argv)
{
    alignas(16) static float x[68], y[64];
    const char *wrong = argc > 1 ? argv[1] : "nothing";
    const dim3 grid(1), block(16);
    cudaStream_t stream = nullptr;

    if (!parts_are_right(wrong, y) || !launches_are_right(wrong))
        return 1;
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
