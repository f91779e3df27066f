/* Products of integers of 64 bits.
 *
 * flags: -mavx2
 * NAME = mul_4l
 * VECTOR = __m256i
 * P = _mm256_
 */
/* the low 64 bits of products, by parts of 32 bits */
static inline @VECTOR@ @NAME@(@VECTOR@ a, @VECTOR@ b)
{
    const @VECTOR@ cross = @P@mullo_epi32(a, @P@shuffle_epi32(b, 0xb1));
    const @VECTOR@ sum = @P@add_epi32(cross, @P@srli_epi64(cross, 32));

    return @P@add_epi64(@P@mul_epu32(a, b), @P@slli_epi64(sum, 32));
}
