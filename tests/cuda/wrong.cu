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

/* y = 0 .. 31 by way of three arrays of n elements each, of which only the launch knows how many these are. */
static __global__ void behind_each_other(const char *wrong, int n, float *y)
{
    __shared__ float c[16];
    extern __shared__ __align__(16) unsigned char shared[];
    float *a = (float *)shared;
    double *b = (double *)(a + (n + 3) / 4 * 4);
    float (*rows)[3] = (float (*)[3])(b + (strcmp(wrong, "unaligned") == 0 ? n : (n + 1) / 2 * 2));
    const int t = (int)threadIdx.x;

    a[t] = float(t);
    b[t] = t + 16;
    rows[t / 3][t % 3] = 0;
    c[t] = 0;
    __syncthreads();
    a[t] += c[t];
    if (strcmp(wrong, "end") == 0)
        rows[n / 3 + 1][0] = 0;
    if (strcmp(wrong, "next") == 0)
        y[0] = a[(n + 3) / 4 * 4];
    if (strcmp(wrong, "before") == 0)
        b[-1] = 0;
    if (strcmp(wrong, "race") == 0)
        y[t] = a[(t + 1) % n];
    y[t] = a[t];
    y[t + 16] = float(b[t]);
}

static void launch_behind(const char *wrong, float *y)
{
    const dim3 grid(1), block(strcmp(wrong, "end") == 0 ? 1 : 13);
    cudaStream_t stream = nullptr;
    const int n = 13, shared = strcmp(wrong, "more") == 0 ? 49152 : 16 * 4 + 14 * 8 + 15 * 4;

    behind_each_other<<<grid, block, shared, stream>>>(wrong, n, y);
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

    launch_behind(wrong, y);
    if (y[0] != 0 || y[16] != 16 || !parts_are_right(wrong, y) || !launches_are_right(wrong))
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
