/* Sums of products of bf16.
 *
 * flags: -mavx512f -mavx512bf16
 * NAME = pairs_16f
 */
/* each lane of c plus two products: the second one first, without rounding them, subnormal
 * numbers as zeros */
static inline __m512 @NAME@(__m512 c, __m512i a, __m512i b)
{
    c = _mm512_dpbf16_ps(c, (__m512bh)a, (__m512bh)b);
    __asm__("" : "+v"(c));
    return c;
}
