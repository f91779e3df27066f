/* All lanes of a vector combined one by one: x[0] becomes LANE.
 *
 * flags: -mavx2
 * text: #include <immintrin.h>
 * INLINE = static inline
 * NAME = product_each_4d
 * VECTOR = __m256d
 * ELEMENT = double
 * N = 4
 * STORE = _mm256_storeu_pd(x, a)
 * LANE = x[0] * x[k]
 */
@INLINE@ @ELEMENT@ @NAME@(@VECTOR@ a)
{
    @ELEMENT@ x[@N@];

    @STORE@;
    for (int k = 1; k < @N@; k++)
        x[0] = @LANE@;
    return x[0];
}
