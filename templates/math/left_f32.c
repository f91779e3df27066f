/* Of sin and cos in sets without fused operations: computed in f64.
 *
 * values: samples/sse_f32
 * flags: -msse4.2
 * NAME = left_4f
 */
/* a - n pi / 2 */
@INLINE@ @TYPE@ @NAME@(@TYPE@ a, @TYPE@ n)
{
    const @WIDE@ low_n = @LOW@(n);
    const @WIDE@ low = @WIDE_NMADD@(low_n, @WIDE_ALL@(1.57079632673412561417e+00), @LOW@(a));
    const @WIDE@ low_x = @WIDE_NMADD@(low_n, @WIDE_ALL@(6.07710050650619224932e-11), low);
    const @WIDE@ high_n = @HIGH@(n);
    const @WIDE@ high = @WIDE_NMADD@(high_n, @WIDE_ALL@(1.57079632673412561417e+00), @HIGH@(a));
    const @WIDE@ high_x = @WIDE_NMADD@(high_n, @WIDE_ALL@(6.07710050650619224932e-11), high);

    return @JOIN@(low_x, high_x);
}
