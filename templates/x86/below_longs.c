/* A comparison of unsigned integers of 64 bits.
 *
 * flags: -mavx2
 * NAME = below_4l
 * VECTOR = __m256i
 * P = _mm256_
 * W = 256
 */
/* a < b of unsigned numbers */
static inline @VECTOR@ @NAME@(@VECTOR@ a, @VECTOR@ b)
{
    const @VECTOR@ top = @P@set1_epi64x(INT64_MIN);

    return @P@cmpgt_epi64(@P@xor_si@W@(b, top), @P@xor_si@W@(a, top));
}
