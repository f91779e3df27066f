/* The last one of 3 neighbours a lane.
 *
 * flags: -mavx2
 * NAME = load_2_of_3_8f
 * VECTOR = __m256
 * P = _mm256_
 * R0 = _mm256_loadu2_m128(p + 12, p)
 * R1 = _mm256_loadu2_m128(p + 16, p + 4)
 * R2 = _mm256_loadu2_m128(p + 20, p + 8)
 */
/* p[3 * k + 2] in lane k */
static inline @VECTOR@ @NAME@(const float *p)
{
    const @VECTOR@ r0 = @R0@;
    const @VECTOR@ r1 = @R1@;
    const @VECTOR@ r2 = @R2@;
    const @VECTOR@ yz = @P@shuffle_ps(r0, r1, _MM_SHUFFLE(1, 0, 2, 1));

    return @P@shuffle_ps(yz, r2, _MM_SHUFFLE(3, 0, 3, 1));
}
