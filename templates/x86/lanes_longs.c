/* A mask of lanes of 64 bits.
 *
 * flags: -mavx2
 * NAME = lanes_4
 * VECTOR = __m256i
 * P = _mm256_
 * N = 4
 * NUMBERS = _mm256_setr_epi64x(0, 1, 2, 3)
 */
/* lanes 0 .. n - 1 of @N@ */
static inline @VECTOR@ @NAME@(int64_t n)
{
    return @P@cmpgt_epi64(@P@set1_epi64x(n), @NUMBERS@);
}
