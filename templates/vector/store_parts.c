/* Stores of N neighbours a lane, by the set's shuffles.
 *
 * flags: -mavx2
 * text: #include <immintrin.h>
 * INLINE = static inline
 * NAME = store_2_2d
 * ELEMENT = double
 * N = 2
 * PARAMETERS = , __m128d a, __m128d b
 * BODY = _mm_storeu_pd(p, _mm_unpacklo_pd(a, b)); _mm_storeu_pd(p + 2, _mm_unpackhi_pd(a, b));
 */
/* @N@ vectors, lane by lane in turn */
@INLINE@ void @NAME@(@ELEMENT@ *p@PARAMETERS@)
{
@BODY@
}
