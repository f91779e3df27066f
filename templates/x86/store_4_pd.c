/* Stores of 4 neighbours a lane, of 8 bytes.
 *
 * flags: -mavx2
 * NAME = store_4_4d
 * VECTOR = __m256d
 * P = _mm256_
 * S0 = _mm256_storeu2_m128d(p + 8, p, {a})
 * S1 = _mm256_storeu2_m128d(p + 10, p + 2, {a})
 * S2 = _mm256_storeu2_m128d(p + 12, p + 4, {a})
 * S3 = _mm256_storeu2_m128d(p + 14, p + 6, {a})
 */
/* 4 vectors, lane by lane in turn */
static inline void @NAME@(double *p, @VECTOR@ a, @VECTOR@ b, @VECTOR@ c, @VECTOR@ d)
{
    @S0@(@P@unpacklo_pd(a, b));
    @S1@(@P@unpacklo_pd(c, d));
    @S2@(@P@unpackhi_pd(a, b));
    @S3@(@P@unpackhi_pd(c, d));
}
