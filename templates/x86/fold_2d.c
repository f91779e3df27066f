/* All lanes joined by an operation.
 *
 * flags: -msse4.2
 * NAME = sum_2d
 * OP = add
 */
static inline double @NAME@(__m128d a)
{
    return _mm_cvtsd_f64(_mm_@OP@_sd(a, _mm_unpackhi_pd(a, a)));
}
