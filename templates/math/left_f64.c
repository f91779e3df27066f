/* Of sin and cos in sets without fused operations: by parts of pi / 2 whose products with n are exact. What a difference
 * loses is exact, too.
 *
 * values: samples/sse_f64
 * flags: -msse4.2
 * NAME = left_2d
 */
/* a - n pi / 2 */
@INLINE@ @TYPE@ @NAME@(@TYPE@ a, @TYPE@ n)
{
    const @TYPE@ x = @NMADD@(n, @ALL@(1.57079632673412561417e+00), a);
    const @TYPE@ part_2 = @MUL@(n, @ALL@(6.07710050630396597660e-11));
    const @TYPE@ x_2 = @SUB@(x, part_2);
    const @TYPE@ lost_2 = @SUB@(@PART@(@SUB@(x, x_2)), part_2);
    const @TYPE@ part_3 = @MUL@(n, @ALL@(2.02226624871116645580e-21));
    const @TYPE@ x_3 = @SUB@(x_2, part_3);
    const @TYPE@ lost_3 = @SUB@(@PART@(@SUB@(x_2, x_3)), part_3);
    const @TYPE@ lost = @ADD@(lost_2, lost_3);
    const @TYPE@ part_4 = @MUL@(n, @ALL@(8.47842766036889956997e-32));

    return @SUB@(x_3, @PART@(@SUB@(part_4, lost)));
}
