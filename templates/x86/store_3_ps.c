/* Stores of 3 neighbours a lane.
 *
 * flags: -mavx2
 * NAME = store_3_8f
 * VECTOR = __m256
 * P = _mm256_
 * S0 = _mm256_storeu2_m128(p + 12, p, {a})
 * S1 = _mm256_storeu2_m128(p + 16, p + 4, {a})
 * S2 = _mm256_storeu2_m128(p + 20, p + 8, {a})
 */
/* 3 vectors, lane by lane in turn */
static inline void @NAME@(float *p, @VECTOR@ a, @VECTOR@ b, @VECTOR@ c)
{
    const @VECTOR@ xy = @P@shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0));
    const @VECTOR@ yz = @P@shuffle_ps(b, c, _MM_SHUFFLE(3, 1, 3, 1));
    const @VECTOR@ zx = @P@shuffle_ps(c, a, _MM_SHUFFLE(3, 1, 2, 0));

    @S0@(@P@shuffle_ps(xy, zx, _MM_SHUFFLE(2, 0, 2, 0)));
    @S1@(@P@shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0)));
    @S2@(@P@shuffle_ps(zx, yz, _MM_SHUFFLE(3, 1, 3, 1)));
}
