/* Sums of products of bytes.
 *
 * flags: -mavx2
 * NAME = dot_8i
 */
/* each lane of c plus four products, of u8 and i8, two of which together fit 16 bits; gcc would
 * add up products first, and spill, without being told that c changes here */
static inline __m256i @NAME@(__m256i c, __m256i a, __m256i b)
{
    const __m256i pairs = _mm256_maddubs_epi16(a, b);

    c = _mm256_add_epi32(c, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
    __asm__("" : "+x"(c));
    return c;
}
