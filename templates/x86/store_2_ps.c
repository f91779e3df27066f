/* Stores of 2 neighbours a lane.
 *
 * flags: -mavx2
 * NAME = store_2_8f
 * VECTOR = __m256
 * P = _mm256_
 * S0 = _mm256_storeu2_m128(p + 8, p, {a})
 * S1 = _mm256_storeu2_m128(p + 12, p + 4, {a})
 */
/* 2 vectors, lane by lane in turn */
static inline void @NAME@(float *p, @VECTOR@ a, @VECTOR@ b)
{
    @S0@(@P@unpacklo_ps(a, b));
    @S1@(@P@unpackhi_ps(a, b));
}
