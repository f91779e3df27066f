/* A copy that writes neighbours. nvcc stores what stood in registers word by word where it is not told again that the
 * address is aligned.
 *
 * NAME = gather_16_f32
 * TYPE = float
 * BYTES = 16
 * WORD = int4
 */
/* elements that are so far apart, written as @BYTES@ bytes at once */
static __device__ void @NAME@(@TYPE@ *to, const @TYPE@ *from, int apart)
{
    const int n = @BYTES@ / sizeof(@TYPE@);
    alignas(@BYTES@) @TYPE@ run[n];

    for (int k = 0; k < n; k++)
        run[k] = from[k * apart];
    *(@WORD@ *)__builtin_assume_aligned(to, @BYTES@) =
        *(const @WORD@ *)__builtin_assume_aligned(run, @BYTES@);
}
