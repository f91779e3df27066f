/* tanh: math/tanh_f32.c, with a quotient of polynomials.
 *
 * before: math/exp_f64.c
 * values: samples/avx2_f64
 * flags: -mavx2 -mfma
 * NAME = tanh_4d
 * MOST = 1.7
 * EXP = exp_4d
 */
/* at most @MOST@ units in the last place off */
@INLINE@ @TYPE@ @NAME@(@TYPE@ a)
{
    const @TYPE@ x = @ABS@(a);
    const @TYPE@ z = @MUL@(x, x);
    const @TYPE@ e = @EXP@(@ADD@(x, x));
    const @TYPE@ more = @ADD@(e, @ALL@(1.0));
    const @TYPE@ part = @DIV@(@ALL@(2.0), more);
    const @TYPE@ far = @SUB@(@ALL@(1.0), part);
    @TYPE@ q = @ADD@(z, @ALL@(1.12811678491632931402e2));
    @TYPE@ y = @MADD@(@ALL@(-9.64399179425052238628e-1), z, @ALL@(-9.92877231001918586564e1));

    y = @MADD@(y, z, @ALL@(-1.61468768441708447952e3));
    q = @MADD@(q, z, @ALL@(2.23548839060100448583e3));
    q = @MADD@(q, z, @ALL@(4.84406305325125486048e3));
    y = @DIV@(y, q);
    y = @MADD@(@MUL@(y, z), x, x);
    y = @SELECT@(@LT@(x, @ALL@(0.625)), y, far);
    return @SIGNED@(y, a);
}
