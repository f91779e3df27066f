/* tanh: 1 - 2 / (e^2x + 1), with x the size of a, or Cephes' polynomial for small x. y is what multiplies x^3.
 *
 * before: math/exp_f32.c
 * values: samples/avx2_f32
 * flags: -mavx2 -mfma
 * NAME = tanh_8f
 * MOST = 1.4
 * EXP = exp_8f
 */
/* at most @MOST@ units in the last place off */
@INLINE@ @TYPE@ @NAME@(@TYPE@ a)
{
    const @TYPE@ x = @ABS@(a);
    const @TYPE@ z = @MUL@(x, x);
    const @TYPE@ e = @EXP@(@ADD@(x, x));
    const @TYPE@ more = @ADD@(e, @ALL@(1.0f));
    const @TYPE@ part = @DIV@(@ALL@(2.0f), more);
    const @TYPE@ far = @SUB@(@ALL@(1.0f), part);
    @TYPE@ y = @MADD@(@ALL@(-5.70498872745e-3f), z, @ALL@(2.06390887954e-2f));

    y = @MADD@(y, z, @ALL@(-5.37397155531e-2f));
    y = @MADD@(y, z, @ALL@(1.33314422036e-1f));
    y = @MADD@(y, z, @ALL@(-3.33332819422e-1f));
    y = @MADD@(@MUL@(y, z), x, x);
    y = @SELECT@(@LT@(x, @ALL@(0.625f)), y, far);
    return @SIGNED@(y, a);
}
