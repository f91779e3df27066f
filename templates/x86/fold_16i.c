/* All lanes joined by an operation, in halves of the register, then halves of these. Compilers' _mm512_reduce_add_epi32
 * adds ints, which may overflow.
 *
 * flags: -mavx512f
 * NAME = sum_16i
 * OP_256 = add_epi32
 * OP_128 = add_epi32
 */
static inline int32_t @NAME@(__m512i a)
{
    const __m256i b =
        _mm256_@OP_256@(_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64(a, 1));
    __m128i c =
        _mm_@OP_128@(_mm256_castsi256_si128(b), _mm256_extracti128_si256(b, 1));

    c = _mm_@OP_128@(c, _mm_unpackhi_epi64(c, c));
    return _mm_cvtsi128_si32(_mm_@OP_128@(c, _mm_shuffle_epi32(c, 1)));
}
