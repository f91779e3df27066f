/* A conversion to bytes, of whole registers.
 *
 * flags: -mavx2
 * NAME = low_bytes_16_shorts
 */
/* the low bytes of 16 shorts */
static inline __m128i @NAME@(__m256i a)
{
    a = _mm256_and_si256(a, _mm256_set1_epi16(0xff));
    return _mm_packus_epi16(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
}
