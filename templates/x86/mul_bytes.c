/* Products of bytes.
 *
 * flags: -mavx2
 * NAME = mul_32b
 * VECTOR = __m256i
 * P = _mm256_
 * WHOLE = si256
 */
/* the low halves of products, of the lanes with even numbers and of the others */
static inline @VECTOR@ @NAME@(@VECTOR@ a, @VECTOR@ b)
{
    const @VECTOR@ even = @P@mullo_epi16(a, b);
    const @VECTOR@ odd = @P@mullo_epi16(@P@srli_epi16(a, 8), @P@srli_epi16(b, 8));

    return @P@or_@WHOLE@(@P@and_@WHOLE@(even, @P@set1_epi16(0xff)), @P@slli_epi16(odd, 8));
}
