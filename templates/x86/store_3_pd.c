/* Stores of 3 neighbours a lane, of 8 bytes. CROSS: a shuffle to the first lane of one and the second of the other.
 *
 * flags: -mavx2
 * NAME = store_3_4d
 * VECTOR = __m256d
 * P = _mm256_
 * S0 = _mm256_storeu2_m128d(p + 6, p, {a})
 * S1 = _mm256_storeu2_m128d(p + 8, p + 2, {a})
 * S2 = _mm256_storeu2_m128d(p + 10, p + 4, {a})
 * CROSS = 0xa
 */
/* 3 vectors, lane by lane in turn */
static inline void @NAME@(double *p, @VECTOR@ a, @VECTOR@ b, @VECTOR@ c)
{
    @S0@(@P@unpacklo_pd(a, b));
    @S1@(@P@shuffle_pd(c, a, @CROSS@));
    @S2@(@P@unpackhi_pd(b, c));
}
