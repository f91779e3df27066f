/* Minima and maxima of integers of 64 bits: a where the first one of GREATER is greater.
 *
 * flags: -mavx2
 * NAME = min_4l
 * VECTOR = __m256i
 * P = _mm256_
 * GREATER = b, a
 */
static inline @VECTOR@ @NAME@(@VECTOR@ a, @VECTOR@ b)
{
    return @P@blendv_epi8(b, a, @P@cmpgt_epi64(@GREATER@));
}
