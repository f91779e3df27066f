/* One of N neighbours a lane, of 8 bytes. X and Y: the registers with it, LOAD_X and LOAD_Y: what loads them, PICKED:
 * what has it of both.
 *
 * flags: -mavx2
 * NAME = load_0_of_3_4d
 * VECTOR = __m256d
 * N = 3
 * MEMBER =
 * X = r0
 * LOAD_X = _mm256_loadu2_m128d(p + 6, p)
 * Y = r1
 * LOAD_Y = _mm256_loadu2_m128d(p + 8, p + 2)
 * PICKED = _mm256_shuffle_pd({a}, {b}, 0xa)
 */
/* p[@N@ * k@MEMBER@] in lane k */
static inline @VECTOR@ @NAME@(const double *p)
{
    const @VECTOR@ @X@ = @LOAD_X@;
    const @VECTOR@ @Y@ = @LOAD_Y@;

    return @PICKED@(@X@, @Y@);
}
