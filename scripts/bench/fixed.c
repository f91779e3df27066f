/* What bench-emit.sh compares with: a convolution as it was emitted once. It does not change, so that neither do the
 * times of its compilation. */
#include <stdint.h>

#include <errno.h>
#include <immintrin.h>
#include <stdlib.h>

#ifdef _OPENMP
#include <omp.h>
#else
static inline int omp_get_max_threads(void) { return 1; }
static inline int omp_get_thread_num(void) { return 0; }
#endif

int conv_nhwc(int64_t H, int64_t W, int64_t C, int64_t K, const float *restrict In, const float *restrict Wt,
              float *restrict Out);

/* gcc 12 treats partly overlapping vectors as disjoint */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-predictive-commoning")
#endif

/* lanes 0 .. n - 1 of 16 */
static inline __mmask16 lanes_16(int64_t n)
{
    return (__mmask16)(n >= 16 ? (1u << 16) - 1 : n <= 0 ? 0 : (1u << n) - 1);
}

static inline int64_t min(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t max(int64_t a, int64_t b) { return a > b ? a : b; }

/* n elements behind p, where the array may have ended */
static inline const float *further_f32(const float *p, int64_t n)
{
    return (const float *)((uintptr_t)p + (uintptr_t)n * sizeof *p);
}

/* a * b, or -1 when a factor is negative or the product too large for an object */
static inline int64_t size_product(int64_t a, int64_t b)
{
    return a < 0 || b < 0 || (b > 0 && a > PTRDIFF_MAX / b) ? -1 : a * b;
}

static void *allocate(int64_t bytes)
{
    return bytes < 0 ? NULL : bytes > 0 ? malloc((size_t)bytes) : calloc(1, 1);
}

int conv_nhwc(int64_t H, int64_t W, int64_t C, int64_t K, const float *restrict In,
              const float *restrict Wt, float *restrict Out)
{
    float *P_all =
        allocate(size_product(omp_get_max_threads(),
                              size_product(size_product((C + 63) / 64, W + 2),
                                           576 * sizeof *P_all)));
    if (!P_all)
        return ENOMEM;

    if (W >= 1 && K >= 1) {
        #pragma omp parallel for firstprivate(H, W, C, K, In, Wt, Out)
        for (int64_t h = 0; h < H; h += 7) {
            float *P = P_all + (int64_t)omp_get_thread_num() * ((C + 63) / 64) * 9 * (W + 2) * 64;
            const int64_t y_end = min(H, h + 8);
            for (int64_t y = max(0, h - 1); y < y_end; y++)
                for (int64_t x = 0; x < W + 2; x++)
                    for (int64_t z = 0; z < C; z += 64) {
                        const int64_t zz_n = min(64, C - z);
                        int zz = 0;
                        for (; zz + 16 <= zz_n; zz += 16)
                            _mm512_storeu_ps(
                                &P[(((z / 64) * 9 + y - h + 1) * (W + 2) + x) * 64 + zz],
                                x >= 1 && x <= W
                                ? _mm512_loadu_ps(&In[(y * W + x - 1) * C + z + zz])
                                : _mm512_setzero_ps());
                        /* tail of zz */
                        if (zz < zz_n) {
                            const __mmask16 active = lanes_16(zz_n - zz);
                            _mm512_mask_storeu_ps(
                                &P[(((z / 64) * 9 + y - h + 1) * (W + 2) + x) * 64 + zz], active,
                                x >= 1 && x <= W
                                ? _mm512_maskz_loadu_ps(active, &In[(y * W + x - 1) * C + z + zz])
                                : _mm512_setzero_ps());
                        }
                    }
            const int64_t hh_n = min(7, H - h);
            for (int64_t k = 0; k < K; k += 32)
                for (int hh = 0; hh < hh_n; hh++) {
                    const int64_t r_end = min(3, H - h - hh + 1);
                    for (int64_t w = 0; w < W; w += 14) {
                        __m512 acc[14][2];
                        if (k + 32 <= K && w + 14 <= W) {
                            #pragma GCC unroll 14
                            for (int ww = 0; ww < 14; ww++)
                                #pragma GCC unroll 2
                                for (int kk = 0; kk < 32; kk += 16)
                                    acc[ww][kk / 16] = _mm512_setzero_ps();
                            for (int64_t r = max(0, 1 - h - hh); r < r_end; r++)
                                for (int s = 0; s < 3; s++)
                                    for (int64_t c = 0; c < C; c += 64) {
                                        const int64_t cc_n = min(64, C - c);
                                        for (int cc = 0; cc < cc_n; cc++) {
                                            __builtin_prefetch(
                                                further_f32(
                                                    &Wt[((r * 3 + s) * C + c + cc) * K + k],
                                                    4 * K));
                                            #pragma GCC unroll 14
                                            for (int ww = 0; ww < 14; ww++) {
                                                const __m512 p =
                                                    _mm512_set1_ps(
                                                        P[(((c / 64) * 9 + hh + r) * (W + 2) + w
                                                           + s + ww) * 64
                                                          + cc]);
                                                #pragma GCC unroll 2
                                                for (int kk = 0; kk < 32; kk += 16) {
                                                    const __m512 wt =
                                                        _mm512_loadu_ps(
                                                            &Wt[((r * 3 + s) * C + c + cc) * K + k
                                                                + kk]);
                                                    acc[ww][kk / 16] =
                                                        _mm512_fmadd_ps(p, wt, acc[ww][kk / 16]);
                                                }
                                            }
                                        }
                                    }

                            /* flush acc[ww][kk][v] to Out */
                            #pragma GCC unroll 14
                            for (int ww = 0; ww < 14; ww++)
                                #pragma GCC unroll 2
                                for (int kk = 0; kk < 32; kk += 16)
                                    _mm512_storeu_ps(&Out[((h + hh) * W + w + ww) * K + k + kk],
                                                     acc[ww][kk / 16]);
                        } else {
                            /* partial tile */
                            const __mmask16 active[2] = {lanes_16(K - k), lanes_16(K - k - 16)};
                            #pragma GCC unroll 14
                            for (int ww = 0; ww < 14; ww++)
                                #pragma GCC unroll 2
                                for (int kk = 0; kk < 32; kk += 16)
                                    acc[ww][kk / 16] = _mm512_setzero_ps();
                            for (int64_t r = max(0, 1 - h - hh); r < r_end; r++)
                                for (int s = 0; s < 3; s++)
                                    for (int64_t c = 0; c < C; c += 64) {
                                        const int64_t cc_n = min(64, C - c);
                                        for (int cc = 0; cc < cc_n; cc++) {
                                            __builtin_prefetch(
                                                further_f32(&Wt[((r * 3 + s) * C + c + cc) * K
                                                                + min(K - 1, k)],
                                                            4 * K));
                                            #pragma GCC unroll 14
                                            for (int ww = 0; ww < 14; ww++) {
                                                const __m512 p =
                                                    _mm512_set1_ps(
                                                        P[(((c / 64) * 9 + hh + r) * (W + 2) + w
                                                           + s + min(W - w - 1, ww)) * 64
                                                          + cc]);
                                                #pragma GCC unroll 2
                                                for (int kk = 0; kk < 32; kk += 16) {
                                                    const __m512 wt =
                                                        _mm512_maskz_loadu_ps(
                                                            active[kk / 16],
                                                            &Wt[((r * 3 + s) * C + c + cc) * K
                                                                + min(K - 1, k + kk)]);
                                                    acc[ww][kk / 16] =
                                                        _mm512_fmadd_ps(p, wt, acc[ww][kk / 16]);
                                                }
                                            }
                                        }
                                    }

                            /* flush acc[ww][kk][v] to Out */
                            #pragma GCC unroll 14
                            for (int ww = 0; ww < 14; ww++)
                                if (w + ww < W)
                                    #pragma GCC unroll 2
                                    for (int kk = 0; kk < 32; kk += 16)
                                        if (k + kk < K)
                                            _mm512_mask_storeu_ps(
                                                &Out[((h + hh) * W + w + ww) * K + k + kk],
                                                active[kk / 16], acc[ww][kk / 16]);
                        }
                    }
                }
        }
    }

    free(P_all);
    return 0;
}
