/* Runs the scheduled gemm and the description's own order on the same data and compares them bit for bit. */
#include "gemm.h"
#include "gemm_reference.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static float *random_matrix(int64_t rows, int64_t columns)
{
    float *matrix = malloc((size_t)(rows * columns) * sizeof(float));

    if (!matrix)
        exit(3);
    for (int64_t i = 0; i < rows * columns; i++)
        matrix[i] = (float)rand() / (float)RAND_MAX - 0.5f;
    return matrix;
}

static double seconds(void)
{
    struct timespec now;

    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare(int64_t M, int64_t N, int64_t K)
{
    const size_t size = (size_t)(M * N) * sizeof(float);
    float *A = random_matrix(M, K), *B = random_matrix(K, N), *C = random_matrix(M, N), *R = random_matrix(M, N);
    double start, reference, scheduled;
    int equal;

    memcpy(R, C, size);
    start = seconds();
    gemm_reference(M, N, K, 1.5f, 0.5f, A, B, R);
    reference = seconds() - start;
    start = seconds();
    gemm(M, N, K, 1.5f, 0.5f, A, B, C);
    scheduled = seconds() - start;
    equal = memcmp(R, C, size) == 0;
    printf("%4d x %4d x %4d: own order %8.2f ms, scheduled %8.2f ms: %s\n", (int)M, (int)N, (int)K, 1e3 * reference,
           1e3 * scheduled, equal ? "the same bits" : "DIFFERENT");
    free(A);
    free(B);
    free(C);
    free(R);
    return equal;
}

int main(void)
{
    static const int64_t sizes[][3] = {{1, 1, 1}, {31, 17, 65}, {64, 64, 64}, {509, 521, 503}};
    int equal = 1;

    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        equal &= compare(sizes[i][0], sizes[i][1], sizes[i][2]);
    puts(equal ? "verdict: the schedule computes what the description says" : "verdict: WRONG");
    return equal ? 0 : 1;
}
