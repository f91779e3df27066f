/* All lanes joined by an operation: halves of the register first, then halves of these.
 *
 * flags: -mavx2
 * NAME = sum_8i
 * OP = add_epi32
 */
static inline int32_t @NAME@(__m256i a)
{
    __m128i b = _mm_@OP@(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));

    b = _mm_@OP@(b, _mm_unpackhi_epi64(b, b));
    return _mm_cvtsi128_si32(_mm_@OP@(b, _mm_shuffle_epi32(b, 1)));
}
