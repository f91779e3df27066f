/* A conversion to integers of half as many bits.
 *
 * flags: -msse4.2
 * NAME = low_shorts_4
 */
/* the low halves of 4 words */
static inline __m128i @NAME@(__m128i a)
{
    a = _mm_and_si128(a, _mm_set1_epi32(0xffff));
    return _mm_packus_epi32(a, a);
}
