/* Sums of products of integers of 16 bits.
 *
 * flags: -mavx2
 * NAME = pairs_8i
 */
/* each lane of c plus two products; gcc would add up products first, and spill, without being
 * told that c changes here */
static inline __m256i @NAME@(__m256i c, __m256i a, __m256i b)
{
    c = _mm256_add_epi32(c, _mm256_madd_epi16(a, b));
    __asm__("" : "+x"(c));
    return c;
}
