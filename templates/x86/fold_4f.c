/* All lanes joined by an operation.
 *
 * flags: -msse4.2
 * NAME = sum_4f
 * OP = add
 */
static inline float @NAME@(__m128 a)
{
    a = _mm_@OP@_ps(a, _mm_movehl_ps(a, a));
    return _mm_cvtss_f32(_mm_@OP@_ss(a, _mm_movehdup_ps(a)));
}
