/* The sum of all lanes.
 *
 * flags: -mavx2
 * NAME = sum_4l
 */
static inline int64_t @NAME@(__m256i a)
{
    const __m128i b = _mm_add_epi64(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));

    return _mm_cvtsi128_si64(_mm_add_epi64(b, _mm_unpackhi_epi64(b, b)));
}
