/* All lanes joined by an operation: halves of the register first, then halves of these.
 *
 * flags: -mavx2
 * NAME = sum_8f
 * OP = add
 */
static inline float @NAME@(__m256 a)
{
    __m128 b = _mm_@OP@_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));

    b = _mm_@OP@_ps(b, _mm_movehl_ps(b, b));
    return _mm_cvtss_f32(_mm_@OP@_ss(b, _mm_movehdup_ps(b)));
}
