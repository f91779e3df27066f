/* A copy that reads neighbours.
 *
 * NAME = spread_16_f32
 * TYPE = float
 * BYTES = 16
 * WORD = int4
 */
/* @BYTES@ bytes that are read at once, to elements that are so far apart */
static __device__ void @NAME@(@TYPE@ *to, int apart, const @TYPE@ *from)
{
    const int n = @BYTES@ / sizeof(@TYPE@);
    const @WORD@ all = *(const @WORD@ *)from;
    @TYPE@ run[n];

    memcpy(run, &all, sizeof run);
    for (int k = 0; k < n; k++)
        to[k * apart] = run[k];
}
