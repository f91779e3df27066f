/* Elements that are apart in memory, in the lanes of a vector: LANES is what lane k does, RETURN what comes after it.
 *
 * flags: -mavx2
 * text: #include <immintrin.h>
 * INLINE = static inline
 * RESULT = __m256d
 * NAME = load_apart_4d
 * PARAMETERS = const double *p, int64_t step
 * ARRAYS = double x[4];
 * STORES =
 * N = 4
 * LANES = x[k] = p[k * step];
 * RETURN = return _mm256_loadu_pd(x);
 */
@INLINE@ @RESULT@ @NAME@(@PARAMETERS@)
{
@ARRAYS@

@STORES@
    for (int k = 0; k < @N@; k++)
@LANES@
@RETURN@
}
