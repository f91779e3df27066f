/* A function of vectors by one of their elements, for each lane: x[k] becomes LANE. INLINE: the words in front of small
 * functions of the set.
 *
 * flags: -mavx2
 * text: #include <immintrin.h>
 * INLINE = static inline
 * NAME = pow_each_4d
 * VECTOR = __m256d
 * ELEMENT = double
 * N = 4
 * PARAMETERS = __m256d a, __m256d b
 * ARRAYS = x[4], y[4]
 * STORES = _mm256_storeu_pd(x, a); _mm256_storeu_pd(y, b);
 * LANE = pow(x[k], y[k])
 * LOAD = _mm256_loadu_pd(x)
 */
@INLINE@ @VECTOR@ @NAME@(@PARAMETERS@)
{
    @ELEMENT@ @ARRAYS@;

@STORES@
    for (int k = 0; k < @N@; k++)
        x[k] = @LANE@;
    return @LOAD@;
}
