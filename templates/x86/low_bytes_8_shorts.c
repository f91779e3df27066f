/* A conversion to bytes.
 *
 * flags: -msse4.2
 * NAME = low_bytes_8_shorts
 */
/* the low bytes of 8 shorts */
static inline __m128i @NAME@(__m128i a)
{
    a = _mm_and_si128(a, _mm_set1_epi16(0xff));
    return _mm_packus_epi16(a, a);
}
