/* All lanes joined by an operation, in halves of the register, then halves of these.
 *
 * flags: -mavx512f -mavx512vl -mavx512dq
 * NAME = product_8l
 * OP_256 = mullo_epi64
 * OP_128 = mullo_epi64
 */
static inline int64_t @NAME@(__m512i a)
{
    const __m256i b =
        _mm256_@OP_256@(_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64(a, 1));
    const __m128i c =
        _mm_@OP_128@(_mm256_castsi256_si128(b), _mm256_extracti128_si256(b, 1));

    return _mm_cvtsi128_si64(_mm_@OP_128@(c, _mm_unpackhi_epi64(c, c)));
}
