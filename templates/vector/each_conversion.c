/* The lanes of a vector as those of another type, one by one.
 *
 * flags: -mavx2
 * text: #include <immintrin.h>
 * INLINE = static inline
 * NAME = to_f32_each_4d
 * VECTOR = __m256d
 * ELEMENT = double
 * N = 4
 * STORE = _mm256_storeu_pd(x, a)
 * TO_VECTOR = __m128
 * TO_ELEMENT = float
 * LOAD = _mm_loadu_ps(y)
 */
@INLINE@ @TO_VECTOR@ @NAME@(@VECTOR@ a)
{
    @ELEMENT@ x[@N@];
    @TO_ELEMENT@ y[@N@];

    @STORE@;
    for (int k = 0; k < @N@; k++)
        y[k] = (@TO_ELEMENT@)x[k];
    return @LOAD@;
}
