/* One value in all lanes.
 *
 * flags: -mavx2
 * text: #include <immintrin.h>
 * INLINE = static inline
 * NAME = all_4d
 * VECTOR = __m256d
 * ELEMENT = double
 * N = 4
 * LOAD = _mm256_loadu_pd(x)
 */
@INLINE@ @VECTOR@ @NAME@(@ELEMENT@ a)
{
    @ELEMENT@ x[@N@];

    for (int k = 0; k < @N@; k++)
        x[k] = a;
    return @LOAD@;
}
