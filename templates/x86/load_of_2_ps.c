/* One of 2 neighbours a lane. R0, R1: registers full of neighbours, of which each half of 16 bytes has its own.
 *
 * flags: -mavx2
 * NAME = load_1_of_2_8f
 * VECTOR = __m256
 * P = _mm256_
 * R0 = _mm256_loadu2_m128(p + 8, p)
 * R1 = _mm256_loadu2_m128(p + 12, p + 4)
 * MEMBER =  + 1
 * LANES = 3, 1, 3, 1
 */
/* p[2 * k@MEMBER@] in lane k */
static inline @VECTOR@ @NAME@(const float *p)
{
    const @VECTOR@ r0 = @R0@;
    const @VECTOR@ r1 = @R1@;

    return @P@shuffle_ps(r0, r1, _MM_SHUFFLE(@LANES@));
}
