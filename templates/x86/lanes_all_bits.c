/* A mask of AVX-512 with as many bits as an integer.
 *
 * flags: -mavx512bw
 * NAME = lanes_64
 * MASK = __mmask64
 * N = 64
 * ALL = UINT64_MAX
 * ONE = UINT64_C(1)
 */
/* lanes 0 .. n - 1 of @N@ */
static inline @MASK@ @NAME@(int64_t n)
{
    return n >= @N@ ? @ALL@ : n <= 0 ? 0 : (@ONE@ << n) - 1;
}
