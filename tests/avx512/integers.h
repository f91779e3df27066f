/* Lanes of integers, see immintrin.h. Sums are those of the unsigned types; a shift by the width or more leaves zeros
 * or signs. */

#define WORDS(prefix, V, n, whole)                                                                                    \
    BINARY(prefix##sllv_epi##n, V, uint##n##_t, b < n ? a << b : 0)                                                   \
    BINARY(prefix##srlv_epi##n, V, uint##n##_t, b < n ? a >> b : 0)                                                   \
    BINARY(prefix##srav_epi##n, V, int##n##_t, a >> ((uint##n##_t)b < n ? b : n - 1))

/* Compares and masks, in all sizes of registers. */
#define COMPARE_SIGNED(prefix, V, T, M, kind)                                                                         \
    COMPARE(prefix##cmplt_##kind##_mask, V, T, M, a < b)                                                              \
    COMPARE(prefix##cmple_##kind##_mask, V, T, M, a <= b)                                                             \
    COMPARE(prefix##cmpeq_##kind##_mask, V, T, M, a == b)                                                             \
    COMPARE(prefix##cmpneq_##kind##_mask, V, T, M, a != b)
#define MASKS(prefix, V, n, M)                                                                                        \
    COMPARE_SIGNED(prefix, V, int##n##_t, M, epi##n)                                                                  \
    COMPARE_SIGNED(prefix, V, uint##n##_t, M, epu##n)                                                                 \
    MASKED_MEMORY(prefix, epi##n, V, uint##n##_t, M)                                                                  \
    MASKED_BINARY(prefix##mask_add_epi##n, V, uint##n##_t, M, a + b)                                                  \
    MASKED_BINARY(prefix##mask_sub_epi##n, V, uint##n##_t, M, a - b)                                                  \
    MASKED_BINARY(prefix##mask_mullo_epi##n, V, uint##n##_t, M, (uint64_t)a * b)                                      \
    MASKED_BINARY(prefix##mask_min_epi##n, V, int##n##_t, M, a < b ? a : b)                                           \
    MASKED_BINARY(prefix##mask_max_epi##n, V, int##n##_t, M, a > b ? a : b)                                           \
    MASKED_BINARY(prefix##mask_min_epu##n, V, uint##n##_t, M, a < b ? a : b)                                          \
    MASKED_BINARY(prefix##mask_max_epu##n, V, uint##n##_t, M, a > b ? a : b)
#define MASKED_BITS(prefix, V, n, M)                                                                                  \
    MASKED_BINARY(prefix##mask_and_epi##n, V, uint##n##_t, M, a & b)                                                  \
    MASKED_BINARY(prefix##mask_or_epi##n, V, uint##n##_t, M, a | b)                                                   \
    MASKED_BINARY(prefix##mask_xor_epi##n, V, uint##n##_t, M, a ^ b)
#define EXTREMES(prefix, V, n)                                                                                        \
    BINARY(prefix##min_epi##n, V, int##n##_t, a < b ? a : b)                                                          \
    BINARY(prefix##max_epi##n, V, int##n##_t, a > b ? a : b)                                                          \
    BINARY(prefix##min_epu##n, V, uint##n##_t, a < b ? a : b)                                                         \
    BINARY(prefix##max_epu##n, V, uint##n##_t, a > b ? a : b)

#define INTEGERS(n, M)                                                                                                \
    SPLAT(epi##n, __m512i, int##n##_t)                                                                                \
    BINARY(_mm512_add_epi##n, __m512i, uint##n##_t, a + b)                                                            \
    BINARY(_mm512_sub_epi##n, __m512i, uint##n##_t, a - b)                                                            \
    UNARY(_mm512_abs_epi##n, __m512i, uint##n##_t, (int##n##_t)a < 0 ? 0u - a : a)                                    \
    EXTREMES(_mm512_, __m512i, n)                                                                                     \
    MASKS(_mm512_, __m512i, n, M)
#define SHIFTED(n)                                                                                                    \
    WORDS(_mm512_, __m512i, n, )                                                                                      \
    BINARY(_mm512_mullo_epi##n, __m512i, uint##n##_t, (uint64_t)a * b)                                                \
    SHIFT(_mm512_slli_epi##n, __m512i, uint##n##_t, b < n ? a << b : 0)                                               \
    SHIFT(_mm512_srli_epi##n, __m512i, uint##n##_t, b < n ? a >> b : 0)                                               \
    SHIFT(_mm512_srai_epi##n, __m512i, int##n##_t, a >> (b < n ? b : n - 1))
#define LONG_WORDS(n)                                                                                                 \
    FOLD(_mm512_reduce_and_epi##n, __m512i, int##n##_t, a & b)                                                        \
    FOLD(_mm512_reduce_or_epi##n, __m512i, int##n##_t, a | b)                                                         \
    FOLD(_mm512_reduce_min_epi##n, __m512i, int##n##_t, a < b ? a : b)                                                \
    FOLD(_mm512_reduce_max_epi##n, __m512i, int##n##_t, a > b ? a : b)                                                \
    FOLD(_mm512_reduce_min_epu##n, __m512i, uint##n##_t, a < b ? a : b)                                               \
    FOLD(_mm512_reduce_max_epu##n, __m512i, uint##n##_t, a > b ? a : b)                                               \
    BINARY(_mm512_and_epi##n, __m512i, uint##n##_t, a & b)                                                            \
    BINARY(_mm512_or_epi##n, __m512i, uint##n##_t, a | b)

MEMORY(si512, __m512i)
BITS(si512, __m512i, uint64_t)
INTEGERS(8, __mmask64)
INTEGERS(16, __mmask32)
INTEGERS(32, __mmask16)
INTEGERS(64, __mmask8)
SHIFTED(16)
SHIFTED(32)
SHIFTED(64)
LONG_WORDS(32)
LONG_WORDS(64)

MASKS(_mm256_, __m256i, 8, __mmask32)
MASKS(_mm256_, __m256i, 16, __mmask16)
MASKS(_mm256_, __m256i, 32, __mmask8)
MASKS(_mm256_, __m256i, 64, __mmask8)
MASKS(_mm_, __m128i, 8, __mmask16)
MASKS(_mm_, __m128i, 16, __mmask8)
MASKS(_mm_, __m128i, 32, __mmask8)
MASKED_BITS(_mm512_, __m512i, 32, __mmask16)
MASKED_BITS(_mm512_, __m512i, 64, __mmask8)
MASKED_BITS(_mm256_, __m256i, 32, __mmask8)
MASKED_BITS(_mm256_, __m256i, 64, __mmask8)
MASKED_BITS(_mm_, __m128i, 32, __mmask8)
WORDS(_mm256_, __m256i, 16, )
WORDS(_mm_, __m128i, 16, )
EXTREMES(_mm256_, __m256i, 64)
BINARY(_mm256_mullo_epi64, __m256i, uint64_t, a * b)
BINARY(_mm_mullo_epi64, __m128i, uint64_t, a * b)
BINARY(_mm256_srav_epi64, __m256i, int64_t, a >> ((uint64_t)b < 64 ? b : 63))
UNARY(_mm256_abs_epi64, __m256i, uint64_t, (int64_t)a < 0 ? 0u - a : a)

GATHER(_mm512_i32gather_epi32, _mm512_mask_i32gather_epi32, __m512i, int32_t, __mmask16, __m512i, int32_t)
GATHER(_mm512_i32gather_epi64, _mm512_mask_i32gather_epi64, __m512i, int64_t, __mmask8, __m256i, int32_t)
GATHER(_mm512_i64gather_epi64, _mm512_mask_i64gather_epi64, __m512i, int64_t, __mmask8, __m512i, int64_t)
GATHER(emulated_gather_8i, _mm256_mmask_i32gather_epi32, __m256i, int32_t, __mmask8, __m256i, int32_t)
GATHER(emulated_gather_4l, _mm256_mmask_i32gather_epi64, __m256i, int64_t, __mmask8, __m128i, int32_t)
SCATTER(_mm512_i32scatter_epi32, _mm512_mask_i32scatter_epi32, __m512i, int32_t, __mmask16, __m512i, int32_t)
SCATTER(_mm512_i32scatter_epi64, _mm512_mask_i32scatter_epi64, __m512i, int64_t, __mmask8, __m256i, int32_t)
SCATTER(_mm512_i64scatter_epi64, _mm512_mask_i64scatter_epi64, __m512i, int64_t, __mmask8, __m512i, int64_t)
SCATTER(_mm256_i32scatter_epi32, _mm256_mask_i32scatter_epi32, __m256i, int32_t, __mmask8, __m256i, int32_t)
SCATTER(_mm256_i32scatter_epi64, _mm256_mask_i32scatter_epi64, __m256i, int64_t, __mmask8, __m128i, int32_t)

EMULATED __m512i _mm512_permutexvar_epi32(__m512i places, __m512i x)
{
    return (__m512i)_mm512_permutexvar_ps(places, (__m512)x);
}

EMULATED __m512i _mm512_permutexvar_epi64(__m512i places, __m512i x)
{
    return (__m512i)_mm512_permutexvar_pd(places, (__m512d)x);
}

EMULATED __mmask16 _mm512_movepi32_mask(__m512i x)
{
    return _mm512_cmplt_epi32_mask(x, _mm512_setzero_si512());
}

EMULATED __mmask8 _mm512_movepi64_mask(__m512i x)
{
    return _mm512_cmplt_epi64_mask(x, _mm512_setzero_si512());
}

SHUFFLE(_mm512_permutex2var_epi32, __m512i, int32_t, __m512i, int32_t)
SHUFFLE(_mm512_permutex2var_epi64, __m512i, int64_t, __m512i, int64_t)
SHUFFLE(_mm256_permutex2var_epi32, __m256i, int32_t, __m256i, int32_t)
SHUFFLE(_mm256_permutex2var_epi64, __m256i, int64_t, __m256i, int64_t)
#define _mm512_setr_epi32(...) LIST(__m512i, int32_t, __VA_ARGS__)
#define _mm512_setr_epi64(...) LIST(__m512i, int64_t, __VA_ARGS__)

/* Each lane plus four products of u8 by i8, and plus two of i16 by i16. */
EMULATED __m512i _mm512_dpbusd_epi32(__m512i z, __m512i x, __m512i y)
{
    LANES_OF(uint32_t, r, z);
    LANES_OF(uint8_t, s, x);
    LANES_OF(int8_t, t, y);
    for (int k = 0; k < 64; k++)
        r[k / 4] += (uint32_t)(s[k] * t[k]);
    VECTOR_OF(__m512i, r);
}

EMULATED __m512i _mm512_dpwssd_epi32(__m512i z, __m512i x, __m512i y)
{
    LANES_OF(uint32_t, r, z);
    LANES_OF(int16_t, s, x);
    LANES_OF(int16_t, t, y);
    for (int k = 0; k < 32; k++)
        r[k / 2] += (uint32_t)(s[k] * t[k]);
    VECTOR_OF(__m512i, r);
}
