/* All lanes joined by an operation.
 *
 * flags: -msse4.2
 * NAME = sum_4i
 * OP = add_epi32
 */
static inline int32_t @NAME@(__m128i a)
{
    a = _mm_@OP@(a, _mm_unpackhi_epi64(a, a));
    return _mm_cvtsi128_si32(_mm_@OP@(a, _mm_shuffle_epi32(a, 1)));
}
