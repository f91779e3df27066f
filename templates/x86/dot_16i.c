/* Sums of products of bytes.
 *
 * flags: -mavx512f -mavx512vnni
 * NAME = dot_16i
 */
/* each lane of c plus four products of bytes; gcc would spill c without being told that it
 * changes here */
static inline __m512i @NAME@(__m512i c, __m512i a, __m512i b)
{
    c = _mm512_dpbusd_epi32(c, a, b);
    __asm__("" : "+v"(c));
    return c;
}
