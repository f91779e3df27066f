/* A mask.
 *
 * NAME = lanes_4
 * VECTOR = uint32x4_t
 * BITS = 32
 * Q = q
 * N = 4
 * NUMBERS = 0, 1, 2, 3
 */
/* lanes 0 .. n - 1 of @N@ */
static inline @VECTOR@ @NAME@(int64_t n)
{
    const uint@BITS@_t lane[] = {@NUMBERS@};
    const uint@BITS@_t m = (uint@BITS@_t)(n > @N@ ? @N@ : n < 0 ? 0 : n);

    return vclt@Q@_u@BITS@(vld1@Q@_u@BITS@(lane), vdup@Q@_n_u@BITS@(m));
}
