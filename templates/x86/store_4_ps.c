/* Stores of 4 neighbours a lane.
 *
 * flags: -mavx2
 * NAME = store_4_8f
 * VECTOR = __m256
 * P = _mm256_
 * S0 = _mm256_storeu2_m128(p + 16, p, {a})
 * S1 = _mm256_storeu2_m128(p + 20, p + 4, {a})
 * S2 = _mm256_storeu2_m128(p + 24, p + 8, {a})
 * S3 = _mm256_storeu2_m128(p + 28, p + 12, {a})
 */
/* 4 vectors, lane by lane in turn */
static inline void @NAME@(float *p, @VECTOR@ a, @VECTOR@ b, @VECTOR@ c, @VECTOR@ d)
{
    const @VECTOR@ ab_first = @P@unpacklo_ps(a, b);
    const @VECTOR@ ab_last = @P@unpackhi_ps(a, b);
    const @VECTOR@ cd_first = @P@unpacklo_ps(c, d);
    const @VECTOR@ cd_last = @P@unpackhi_ps(c, d);

    @S0@(@P@shuffle_ps(ab_first, cd_first, _MM_SHUFFLE(1, 0, 1, 0)));
    @S1@(@P@shuffle_ps(ab_first, cd_first, _MM_SHUFFLE(3, 2, 3, 2)));
    @S2@(@P@shuffle_ps(ab_last, cd_last, _MM_SHUFFLE(1, 0, 1, 0)));
    @S3@(@P@shuffle_ps(ab_last, cd_last, _MM_SHUFFLE(3, 2, 3, 2)));
}
