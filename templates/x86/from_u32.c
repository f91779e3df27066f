/* Unsigned integers of 32 bits as f64.
 *
 * flags: -mavx2
 * NAME = from_u32_4
 * FLOATS = __m256d
 * INTS = __m256i
 * P = _mm256_
 * W = 256
 */
/* behind the bits of 2^52 they are that much more */
static inline @FLOATS@ @NAME@(__m128i a)
{
    const @FLOATS@ base = @P@set1_pd(4503599627370496.0);
    const @INTS@ bits = @P@or_si@W@(@P@cvtepu32_epi64(a), @P@castpd_si@W@(base));

    return @P@sub_pd(@P@castsi@W@_pd(bits), base);
}
