/* f32 as the bits of bf16.
 *
 * flags: -mavx2
 * NAME = to_bf16_8
 * FLOATS = __m256
 * INTS = __m256i
 * P = _mm256_
 * W = 256
 * UNORDERED = _mm256_cmp_ps(a, a, _CMP_UNORD_Q)
 * PACKED = _mm_packus_epi32(_mm256_castsi256_si128(top), _mm256_extracti128_si256(top, 1))
 */
/* to the nearest, ties to even */
static inline __m128i @NAME@(@FLOATS@ a)
{
    const @INTS@ bits = @P@castps_si@W@(a);
    const @INTS@ odd = @P@and_si@W@(@P@srli_epi32(bits, 16), @P@set1_epi32(1));
    const @INTS@ half = @P@add_epi32(odd, @P@set1_epi32(0x7fff));
    const @INTS@ quiet = @P@or_si@W@(bits, @P@set1_epi32(0x400000));
    const @INTS@ nan = @P@castps_si@W@(@UNORDERED@);
    const @INTS@ top = @P@srli_epi32(
        @P@blendv_epi8(@P@add_epi32(bits, half), quiet, nan), 16);

    return @PACKED@;
}
