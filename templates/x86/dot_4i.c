/* Sums of products of bytes.
 *
 * flags: -msse4.2
 * NAME = dot_4i
 */
/* each lane of c plus four products, of u8 and i8, two of which together fit 16 bits */
static inline __m128i @NAME@(__m128i c, __m128i a, __m128i b)
{
    const __m128i pairs = _mm_maddubs_epi16(a, b);

    return _mm_add_epi32(c, _mm_madd_epi16(pairs, _mm_set1_epi16(1)));
}
