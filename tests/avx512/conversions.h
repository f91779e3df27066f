/* Lanes of one type as lanes of another, see immintrin.h. */

#define WIDEN(name, R, V, FROM, TO) CONVERT(name, R, TO, V, FROM, a)
#define NARROW(name, R, V, FROM, TO) CONVERT(name, R, TO, V, FROM, a)

WIDEN(_mm512_cvtepi8_epi16, __m512i, __m256i, int8_t, int16_t)
WIDEN(_mm512_cvtepu8_epi16, __m512i, __m256i, uint8_t, int16_t)
WIDEN(_mm512_cvtepi8_epi32, __m512i, __m128i, int8_t, int32_t)
WIDEN(_mm512_cvtepu8_epi32, __m512i, __m128i, uint8_t, int32_t)
WIDEN(_mm512_cvtepi16_epi32, __m512i, __m256i, int16_t, int32_t)
WIDEN(_mm512_cvtepu16_epi32, __m512i, __m256i, uint16_t, int32_t)
WIDEN(_mm512_cvtepi8_epi64, __m512i, __m128i, int8_t, int64_t)
WIDEN(_mm512_cvtepu8_epi64, __m512i, __m128i, uint8_t, int64_t)
WIDEN(_mm512_cvtepi16_epi64, __m512i, __m128i, int16_t, int64_t)
WIDEN(_mm512_cvtepu16_epi64, __m512i, __m128i, uint16_t, int64_t)
WIDEN(_mm512_cvtepi32_epi64, __m512i, __m256i, int32_t, int64_t)
WIDEN(_mm512_cvtepu32_epi64, __m512i, __m256i, uint32_t, int64_t)
NARROW(_mm512_cvtepi16_epi8, __m256i, __m512i, uint16_t, uint8_t)
NARROW(_mm512_cvtepi32_epi8, __m128i, __m512i, uint32_t, uint8_t)
NARROW(_mm512_cvtepi32_epi16, __m256i, __m512i, uint32_t, uint16_t)
NARROW(_mm512_cvtepi64_epi8, __m128i, __m512i, uint64_t, uint8_t)
NARROW(_mm512_cvtepi64_epi16, __m128i, __m512i, uint64_t, uint16_t)
NARROW(_mm512_cvtepi64_epi32, __m256i, __m512i, uint64_t, uint32_t)
NARROW(_mm256_cvtepi16_epi8, __m128i, __m256i, uint16_t, uint8_t)
NARROW(_mm_cvtepi16_epi8, __m128i, __m128i, uint16_t, uint8_t)
NARROW(_mm256_cvtepi32_epi8, __m128i, __m256i, uint32_t, uint8_t)
NARROW(_mm256_cvtepi32_epi16, __m128i, __m256i, uint32_t, uint16_t)
NARROW(_mm256_cvtepi64_epi32, __m128i, __m256i, uint64_t, uint32_t)

/* What does not fit is the largest number of the unsigned type, the smallest of the signed one. */
#define INTEGER_OF(T, low, high, otherwise, value) ((value) >= (low) && (value) < (high) ? (T)(value) : (otherwise))
#define AS_I32(value) INTEGER_OF(int32_t, -0x1p31, 0x1p31, INT32_MIN, value)
#define AS_U32(value) INTEGER_OF(uint32_t, 0, 0x1p32, UINT32_MAX, value)
#define AS_I64(value) INTEGER_OF(int64_t, -0x1p63, 0x1p63, INT64_MIN, value)
#define AS_U64(value) INTEGER_OF(uint64_t, 0, 0x1p64, UINT64_MAX, value)

CONVERT(_mm512_cvtepi32_ps, __m512, float, __m512i, int32_t, a)
CONVERT(_mm512_cvtepu32_ps, __m512, float, __m512i, uint32_t, a)
CONVERT(_mm512_cvttps_epi32, __m512i, int32_t, __m512, float, AS_I32(trunc((double)a)))
CONVERT(_mm512_cvttps_epu32, __m512i, uint32_t, __m512, float, AS_U32(trunc((double)a)))
CONVERT(_mm512_cvtps_epi32, __m512i, int32_t, __m512, float, AS_I32(nearbyint((double)a)))
CONVERT(_mm256_cvtepu32_ps, __m256, float, __m256i, uint32_t, a)
CONVERT(_mm256_cvttps_epu32, __m256i, uint32_t, __m256, float, AS_U32(trunc((double)a)))
CONVERT(_mm512_cvtepi32_pd, __m512d, double, __m256i, int32_t, a)
CONVERT(_mm512_cvtepu32_pd, __m512d, double, __m256i, uint32_t, a)
CONVERT(_mm512_cvttpd_epi32, __m256i, int32_t, __m512d, double, AS_I32(trunc(a)))
CONVERT(_mm512_cvttpd_epu32, __m256i, uint32_t, __m512d, double, AS_U32(trunc(a)))
CONVERT(_mm512_cvtepi64_pd, __m512d, double, __m512i, int64_t, a)
CONVERT(_mm512_cvtepu64_pd, __m512d, double, __m512i, uint64_t, a)
CONVERT(_mm512_cvttpd_epi64, __m512i, int64_t, __m512d, double, AS_I64(trunc(a)))
CONVERT(_mm512_cvttpd_epu64, __m512i, uint64_t, __m512d, double, AS_U64(trunc(a)))
CONVERT(_mm512_cvtpd_epi64, __m512i, int64_t, __m512d, double, AS_I64(nearbyint(a)))
CONVERT(_mm512_cvtepi64_ps, __m256, float, __m512i, int64_t, a)
CONVERT(_mm512_cvtepu64_ps, __m256, float, __m512i, uint64_t, a)
CONVERT(_mm512_cvttps_epi64, __m512i, int64_t, __m256, float, AS_I64(trunc((double)a)))
CONVERT(_mm512_cvttps_epu64, __m512i, uint64_t, __m256, float, AS_U64(trunc((double)a)))
CONVERT(_mm512_cvtps_pd, __m512d, double, __m256, float, a)
CONVERT(_mm512_cvtpd_ps, __m256, float, __m512d, double, a)

/* The other views of the same bits, and the parts of them. */
#define SAME_BITS(name, R, V)                                                                                         \
    EMULATED R name(V x)                                                                                              \
    {                                                                                                                 \
        R r;                                                                                                          \
        memset(&r, 0, sizeof(r));                                                                                     \
        memcpy(&r, &x, sizeof(r) < sizeof(x) ? sizeof(r) : sizeof(x));                                                \
        return r;                                                                                                     \
    }
SAME_BITS(_mm512_castps_si512, __m512i, __m512)
SAME_BITS(_mm512_castpd_si512, __m512i, __m512d)
SAME_BITS(_mm512_castsi512_ps, __m512, __m512i)
SAME_BITS(_mm512_castsi512_pd, __m512d, __m512i)
SAME_BITS(_mm512_castsi512_si256, __m256i, __m512i)
SAME_BITS(_mm512_castps512_ps256, __m256, __m512)
SAME_BITS(_mm512_castps256_ps512, __m512, __m256)
SAME_BITS(_mm512_castsi256_si512, __m512i, __m256i)

EMULATED __m256i _mm512_extracti64x4_epi64(__m512i x, int half)
{
    LANES_OF(__m256i, parts, x);
    return parts[half];
}

EMULATED __m256 _mm512_extractf32x8_ps(__m512 x, int half)
{
    LANES_OF(__m256, parts, x);
    return parts[half];
}

EMULATED __m512 _mm512_insertf32x8(__m512 x, __m256 part, int half)
{
    LANES_OF(__m256, parts, x);
    parts[half] = part;
    VECTOR_OF(__m512, parts);
}

EMULATED __m512i _mm512_inserti64x4(__m512i x, __m256i part, int half)
{
    LANES_OF(__m256i, parts, x);
    parts[half] = part;
    VECTOR_OF(__m512i, parts);
}

EMULATED __m512 _mm512_cvtph_ps(__m256i x)
{
    LANES_OF(__m128i, parts, x);
    const __m256 halves[2] = {_mm256_cvtph_ps(parts[0]), _mm256_cvtph_ps(parts[1])};
    VECTOR_OF(__m512, halves);
}

EMULATED __m256i _mm512_cvtps_ph(__m512 x, int how)
{
    LANES_OF(__m256, parts, x);
    (void)how;
    const __m128i halves[2] = {_mm256_cvtps_ph(parts[0], _MM_FROUND_TO_NEAREST_INT),
                               _mm256_cvtps_ph(parts[1], _MM_FROUND_TO_NEAREST_INT)};
    VECTOR_OF(__m256i, halves);
}
