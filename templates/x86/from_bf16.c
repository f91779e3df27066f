/* bf16, by its bits, as f32.
 *
 * flags: -mavx2
 * NAME = from_bf16_8
 * FLOATS = __m256
 * HALF = __m128i
 * P = _mm256_
 * W = 256
 */
static inline @FLOATS@ @NAME@(@HALF@ a)
{
    return @P@castsi@W@_ps(@P@slli_epi32(@P@cvtepu16_epi32(a), 16));
}
