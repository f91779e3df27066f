/* A conversion to bytes, of whole registers.
 *
 * flags: -mavx2
 * NAME = low_bytes_8
 */
/* the low bytes of 8 words */
static inline __m128i @NAME@(__m256i a)
{
    __m128i b;

    a = _mm256_and_si256(a, _mm256_set1_epi32(0xff));
    b = _mm_packus_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
    return _mm_packus_epi16(b, b);
}
