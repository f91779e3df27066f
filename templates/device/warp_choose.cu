/* Of what all threads of a warp give the least, or the greatest.
 *
 * NAME = warp_min_f32
 * TYPE = float
 * EXCHANGE = __shfl_xor_sync(0xffffffffu, {a}, {b})
 * HALF = 16
 * OP = <
 */
static __device__ @TYPE@ @NAME@(@TYPE@ a)
{
    for (int lane = @HALF@; lane > 0; lane /= 2) {
        const @TYPE@ b = @EXCHANGE@(a, lane);
        a = b @OP@ a ? b : a;
    }
    return a;
}
