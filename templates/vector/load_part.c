/* One of N neighbours a lane, by the set's shuffles.
 *
 * flags: -mavx2
 * text: #include <immintrin.h>
 * INLINE = static inline
 * VECTOR = __m128d
 * NAME = load_1_of_2_2d
 * ELEMENT = double
 * N = 2
 * MEMBER =  + 1
 * BODY = return _mm_unpackhi_pd(_mm_loadu_pd(p), _mm_loadu_pd(p + 2));
 */
/* p[@N@ * k@MEMBER@] in lane k */
@INLINE@ @VECTOR@ @NAME@(const @ELEMENT@ *p)
{
@BODY@
}
