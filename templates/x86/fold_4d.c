/* All lanes joined by an operation: halves of the register first.
 *
 * flags: -mavx2
 * NAME = sum_4d
 * OP = add
 */
static inline double @NAME@(__m256d a)
{
    const __m128d b = _mm_@OP@_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));

    return _mm_cvtsd_f64(_mm_@OP@_sd(b, _mm_unpackhi_pd(b, b)));
}
