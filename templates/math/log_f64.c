/* log by the polynomial of Sun's fdlibm: math/log_f32.c.
 *
 * values: samples/avx2_f64
 * flags: -mavx2 -mfma
 * NAME = log_4d
 * MOST = 0.9
 * SPLIT = @math/log_bits@
 * SPECIAL = @math/log_special@
 */
/* at most @MOST@ units in the last place off */
@INLINE@ @TYPE@ @NAME@(@TYPE@ a)
{
@SPLIT@
    const @TYPE@ f = @SUB@(m, @ALL@(1.0));
    const @TYPE@ s = @DIV@(f, @PART@(@ADD@(f, @ALL@(2.0))));
    const @TYPE@ z = @MUL@(s, s);
    const @TYPE@ half_square = @MUL@(@MUL@(f, f), @ALL@(0.5));
    @TYPE@ y = @MADD@(@ALL@(1.479819860510658591e-01), z, @ALL@(1.531383769920937332e-01));

    y = @MADD@(y, z, @ALL@(1.818357216161805012e-01));
    y = @MADD@(y, z, @ALL@(2.222219843214978396e-01));
    y = @MADD@(y, z, @ALL@(2.857142874366239149e-01));
    y = @MADD@(y, z, @ALL@(3.999999999940941908e-01));
    y = @MADD@(y, z, @ALL@(6.666666666666735130e-01));
    y = @MADD@(y, z, half_square);
    y = @MUL@(s, y);
    y = @MADD@(e, @ALL@(1.90821492927058770002e-10), y);
    y = @SUB@(f, @PART@(@SUB@(half_square, y)));
    y = @MADD@(e, @ALL@(6.93147180369123816490e-01), y);
@SPECIAL@
}
