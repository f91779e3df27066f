/* One of 4 neighbours a lane. HALF: of the registers that has it.
 *
 * flags: -mavx2
 * NAME = load_2_of_4_8f
 * VECTOR = __m256
 * P = _mm256_
 * R0 = _mm256_loadu2_m128(p + 16, p)
 * R1 = _mm256_loadu2_m128(p + 20, p + 4)
 * R2 = _mm256_loadu2_m128(p + 24, p + 8)
 * R3 = _mm256_loadu2_m128(p + 28, p + 12)
 * MEMBER =  + 2
 * HALF = hi
 * LANES = 1, 0, 1, 0
 */
/* p[4 * k@MEMBER@] in lane k */
static inline @VECTOR@ @NAME@(const float *p)
{
    const @VECTOR@ r0 = @R0@;
    const @VECTOR@ r1 = @R1@;
    const @VECTOR@ r2 = @R2@;
    const @VECTOR@ r3 = @R3@;
    const @VECTOR@ first = @P@unpack@HALF@_ps(r0, r1);
    const @VECTOR@ last = @P@unpack@HALF@_ps(r2, r3);

    return @P@shuffle_ps(first, last, _MM_SHUFFLE(@LANES@));
}
