/* Sums of products of integers of 16 bits.
 *
 * flags: -mavx512f -mavx512vnni
 * NAME = pairs_16i
 */
/* each lane of c plus two products */
static inline __m512i @NAME@(__m512i c, __m512i a, __m512i b)
{
    c = _mm512_dpwssd_epi32(c, a, b);
    __asm__("" : "+v"(c));
    return c;
}
