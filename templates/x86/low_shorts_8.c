/* A conversion to integers of half as many bits, of whole registers.
 *
 * flags: -mavx2
 * NAME = low_shorts_8
 */
/* the low halves of 8 words */
static inline __m128i @NAME@(__m256i a)
{
    a = _mm256_and_si256(a, _mm256_set1_epi32(0xffff));
    return _mm_packus_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
}
