/* What all threads of a warp give, joined by an operator, for each of them.
 *
 * NAME = warp_sum_f32
 * TYPE = float
 * EXCHANGE = __shfl_xor_sync(0xffffffffu, {a}, {b})
 * HALF = 16
 * OP = +
 */
static __device__ @TYPE@ @NAME@(@TYPE@ a)
{
    for (int lane = @HALF@; lane > 0; lane /= 2)
        a @OP@= @EXCHANGE@(a, lane);
    return a;
}
