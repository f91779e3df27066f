/* Programs with a race and without one, by which the judge is judged: PROGRAM lists them, PROGRAM NAME runs one. Each
 * way in which emitted code orders threads is there as it should be, and missing. */
#include <stdio.h>
#include <string.h>

enum { N = 24 };

static int a[N + 1][N + 1], b[N + 1], sum;

static void apart(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        b[i] = i;
}

static void neighbours(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        b[i] = b[i + 1];
}

static void neighbours_by_turns(void)
{
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < N; i++)
        b[i] = b[i + 1];
}

/* One thread only, would `if` be heeded. */
static void small(void)
{
#pragma omp parallel for if (N > 100)
    for (int i = 0; i < N; i++)
        b[i] = b[i + 1];
}

static void sums(void)
{
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < N; i++)
        sum += i;
}

static void maxima(void)
{
#pragma omp parallel for reduction(max : sum) reduction(+ : b[:4]) schedule(dynamic, 2)
    for (int i = 0; i < N; i++) {
        sum = sum > i ? sum : i;
        b[i % 4] += i;
    }
}

static void sums_alone(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        sum += i;
}

static void sums_atomic(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
#pragma omp atomic
        sum += i;
    }
}

static void sums_critical(void)
{
#pragma omp parallel for schedule(guided)
    for (int i = 0; i < N; i++) {
#pragma omp critical
        sum += i;
    }
}

static void loops(void)
{
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < N; i++)
            a[0][i] = i;
#pragma omp for
        for (int i = 0; i < N; i++)
            b[i] = a[0][N - 1 - i];
    }
}

static void loops_at_once(void)
{
#pragma omp parallel
    {
#pragma omp for nowait
        for (int i = 0; i < N; i++)
            a[0][i] = i;
#pragma omp for
        for (int i = 0; i < N; i++)
            b[i] = a[0][N - 1 - i];
    }
}

static void loops_by_turns(void)
{
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 2) nowait
        for (int i = 0; i < N; i++)
            a[0][i] = i;
#pragma omp barrier
#pragma omp for schedule(dynamic, 2)
        for (int i = 0; i < N; i++)
            b[i] = a[0][N - 1 - i];
    }
}

static void loops_by_turns_at_once(void)
{
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 2) nowait
        for (int i = 0; i < N; i++)
            a[0][i] = i;
#pragma omp for schedule(dynamic, 2)
        for (int i = 0; i < N; i++)
            b[i] = a[0][N - 1 - i];
    }
}

static void one(void)
{
#pragma omp parallel
    {
#pragma omp single
        sum = 1;
#pragma omp for
        for (int i = 0; i < N; i++)
            b[i] = sum;
    }
}

static void one_at_once(void)
{
#pragma omp parallel
    {
#pragma omp single nowait
        sum = 1;
#pragma omp for
        for (int i = 0; i < N; i++)
            b[i] = sum;
    }
}

static void one_in_turn(void)
{
#pragma omp parallel
    for (int t = 0; t < 6; t++) {
#pragma omp for
        for (int i = 0; i < N; i++)
            a[0][i] = b[i];
#pragma omp single
        sum = t;
#pragma omp for
        for (int i = 0; i < N; i++)
            b[i] = a[0][N - 1 - i] + sum;
    }
}

/* With barriers in between that order too much this one is missed. */
static void one_in_turn_at_once(void)
{
#pragma omp parallel
    for (int t = 0; t < 6; t++) {
#pragma omp for
        for (int i = 0; i < N; i++)
            a[0][i] = b[i];
#pragma omp single nowait
        sum = t;
#pragma omp for
        for (int i = 0; i < N; i++)
            b[i] = a[0][N - 1 - i] + (i < N / 3 ? sum : 0);
    }
}

static void regions(void)
{
    for (int t = 0; t < 4; t++) {
#pragma omp parallel for num_threads(4)
        for (int i = 0; i < N; i++)
            a[t + 1][i] = a[t][N - 1 - i];
    }
}

static void rows(void)
{
#pragma omp parallel for ordered(1)
    for (int i = 1; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
        b[i] += b[i - 1];
#pragma omp ordered depend(source)
    }
}

static void rows_by_turns(void)
{
#pragma omp parallel for ordered(2) schedule(dynamic)
    for (int i = 1; i < N; i++)
        for (int j = 0; j < N; j++) {
#pragma omp ordered depend(sink : i - 1, j + 1)
            a[i][j] += a[i - 1][j] + a[i - 1][j + 1];
#pragma omp ordered depend(source)
        }
}

static void rows_too_early(void)
{
#pragma omp parallel for ordered(2) schedule(static, 1)
    for (int i = 1; i < N; i++)
        for (int j = 0; j < N; j++) {
#pragma omp ordered depend(sink : i - 1, j)
            a[i][j] += a[i - 1][j] + a[i - 1][j + 1];
#pragma omp ordered depend(source)
        }
}

static void rows_at_once(void)
{
#pragma omp parallel for ordered(1) schedule(static, 1)
    for (int i = 2; i < N; i++) {
#pragma omp ordered depend(sink : i - 2)
        b[i] += b[i - 1];
#pragma omp ordered depend(source)
    }
}

#ifdef __AVX2__
#include "intrinsics.h"

static __m256i first_lanes(int n)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

static void masks(void)
{
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i <= N - 8; i += 4)
        _mm256_maskstore_epi32(&b[i], first_lanes(4), _mm256_maskload_epi32(&b[i], first_lanes(4)));
}

static void masks_of_neighbours(void)
{
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i <= N - 8; i += 4)
        _mm256_maskstore_epi32(&b[i], first_lanes(4), _mm256_maskload_epi32(&b[i], first_lanes(5)));
}

static void gathers(void)
{
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < N; i++)
        a[i][0] =
            _mm256_extract_epi32(_mm256_i32gather_epi32(&a[i][1], _mm256_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14), 4), 3);
}

static void gathers_of_neighbours(void)
{
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < N; i++)
        a[i][0] =
            _mm256_extract_epi32(_mm256_i32gather_epi32(a[i], _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, N + 1), 4), 3);
}

static __m256i wide[N];

static void streams_of_neighbours(void)
{
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < N; i += 8)
        _mm256_stream_si256(&wide[i / 16], _mm256_set1_epi32(i));
}
#endif

static const struct {
    const char *name;
    void (*run)(void);
    int races;
} known[] = {
    {"apart", apart, 0},
    {"neighbours", neighbours, 1},
    {"neighbours_by_turns", neighbours_by_turns, 1},
    {"small", small, 1},
    {"sums", sums, 0},
    {"maxima", maxima, 0},
    {"sums_alone", sums_alone, 1},
    {"sums_atomic", sums_atomic, 0},
    {"sums_critical", sums_critical, 0},
    {"loops", loops, 0},
    {"loops_at_once", loops_at_once, 1},
    {"loops_by_turns", loops_by_turns, 0},
    {"loops_by_turns_at_once", loops_by_turns_at_once, 1},
    {"one", one, 0},
    {"one_at_once", one_at_once, 1},
    {"one_in_turn", one_in_turn, 0},
    {"one_in_turn_at_once", one_in_turn_at_once, 1},
    {"regions", regions, 0},
    {"rows", rows, 0},
    {"rows_by_turns", rows_by_turns, 0},
    {"rows_too_early", rows_too_early, 1},
    {"rows_at_once", rows_at_once, 1},
#ifdef __AVX2__
    {"masks", masks, 0},
    {"masks_of_neighbours", masks_of_neighbours, 1},
    {"gathers", gathers, 0},
    {"gathers_of_neighbours", gathers_of_neighbours, 1},
    {"streams_of_neighbours", streams_of_neighbours, 1},
#endif
};

int main(int argc, char **argv)
{
    const int n = sizeof(known) / sizeof(known[0]);

    for (int k = 0; k < n; k++)
        if (argc < 2)
            printf("%s %d\n", known[k].name, known[k].races);
        else if (strcmp(known[k].name, argv[1]) == 0)
            known[k].run();
    return 0;
}
