/* A conversion to bytes.
 *
 * flags: -msse4.2
 * NAME = low_bytes_4
 */
/* the low bytes of 4 words */
static inline __m128i @NAME@(__m128i a)
{
    a = _mm_and_si128(a, _mm_set1_epi32(0xff));
    a = _mm_packus_epi32(a, a);
    return _mm_packus_epi16(a, a);
}
