/* f32 as the bits of bf16, with masks of AVX-512.
 *
 * flags: -mavx512f
 * NAME = to_bf16_16
 */
/* to the nearest, ties to even */
static inline __m256i @NAME@(__m512 a)
{
    const __m512i bits = _mm512_castps_si512(a);
    const __m512i odd = _mm512_and_epi32(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
    const __m512i half = _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff));
    const __m512i quiet = _mm512_or_epi32(bits, _mm512_set1_epi32(0x400000));
    const __mmask16 nan = _mm512_cmp_ps_mask(a, a, _CMP_UNORD_Q);

    return _mm512_cvtepi32_epi16(_mm512_srli_epi32(
        _mm512_mask_blend_epi32(nan, _mm512_add_epi32(bits, half), quiet), 16));
}
