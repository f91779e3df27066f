/* Stores of 2 neighbours a lane, of 8 bytes.
 *
 * flags: -mavx2
 * NAME = store_2_4d
 * VECTOR = __m256d
 * P = _mm256_
 * S0 = _mm256_storeu2_m128d(p + 4, p, {a})
 * S1 = _mm256_storeu2_m128d(p + 6, p + 2, {a})
 */
/* 2 vectors, lane by lane in turn */
static inline void @NAME@(double *p, @VECTOR@ a, @VECTOR@ b)
{
    @S0@(@P@unpacklo_pd(a, b));
    @S1@(@P@unpackhi_pd(a, b));
}
