/* A mask of AVX-512, in an integer with more bits than it needs.
 *
 * flags: -mavx512f
 * NAME = lanes_8
 * MASK = __mmask8
 * N = 8
 */
/* lanes 0 .. n - 1 of @N@ */
static inline @MASK@ @NAME@(int64_t n)
{
    return (@MASK@)(n >= @N@ ? (1u << @N@) - 1 : n <= 0 ? 0 : (1u << n) - 1);
}
