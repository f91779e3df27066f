/* A mask of lanes of at most 32 bits.
 *
 * flags: -mavx2
 * NAME = lanes_8
 * VECTOR = __m256i
 * P = _mm256_
 * BITS = 32
 * ELEMENT = int
 * N = 8
 * NUMBERS = 0, 1, 2, 3, 4, 5, 6, 7
 */
/* lanes 0 .. n - 1 of @N@ */
static inline @VECTOR@ @NAME@(int64_t n)
{
    const @ELEMENT@ m = n > @N@ ? @N@ : n < 0 ? 0 : (@ELEMENT@)n;

    return @P@cmpgt_epi@BITS@(@P@set1_epi@BITS@(m), @P@setr_epi@BITS@(@NUMBERS@));
}
