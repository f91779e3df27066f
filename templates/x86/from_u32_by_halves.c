/* Unsigned integers of 32 bits as f32.
 *
 * flags: -mavx2
 * before: x86/from_u32.c
 * NAME = from_u32_8
 * FLOATS = __m256
 * INTS = __m256i
 * P = _mm256_
 * FROM_U32 = from_u32_4
 * FIRST = _mm256_castsi256_si128(a)
 * LAST = _mm256_extracti128_si256(a, 1)
 * JOINED = _mm256_set_m128(high, low)
 */
/* rounded once, from f64, which has them all */
static inline @FLOATS@ @NAME@(@INTS@ a)
{
    const __m128 low = @P@cvtpd_ps(@FROM_U32@(@FIRST@));
    const __m128 high = @P@cvtpd_ps(@FROM_U32@(@LAST@));

    return @JOINED@;
}
