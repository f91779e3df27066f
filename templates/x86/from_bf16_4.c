/* bf16, by its bits in half a register, as f32.
 *
 * flags: -msse4.2
 * NAME = from_bf16_4
 */
static inline __m128 @NAME@(__m128i a)
{
    return _mm_castsi128_ps(_mm_unpacklo_epi16(_mm_setzero_si128(), a));
}
