/* exp by Taylor's polynomial: math/exp_f32.c.
 *
 * values: samples/avx2_f64
 * flags: -mavx2 -mfma
 * NAME = exp_4d
 * MOST = 1.1
 * ROUND = @math/exp_round@
 * SCALE = @math/exp_scale@
 */
/* at most @MOST@ units in the last place off */
@INLINE@ @TYPE@ @NAME@(@TYPE@ a)
{
@ROUND@
    const @TYPE@ left = @NMADD@(n, @ALL@(6.93147180369123816490e-01), near);
    const @TYPE@ x = @NMADD@(n, @ALL@(1.90821492927058770002e-10), left);
    @TYPE@ y = @MADD@(@ALL@(1.6059043836821613e-10), x, @ALL@(2.0876756987868099e-09));

    y = @MADD@(y, x, @ALL@(2.5052108385441720e-08));
    y = @MADD@(y, x, @ALL@(2.7557319223985893e-07));
    y = @MADD@(y, x, @ALL@(2.7557319223985888e-06));
    y = @MADD@(y, x, @ALL@(2.4801587301587302e-05));
    y = @MADD@(y, x, @ALL@(1.9841269841269841e-04));
    y = @MADD@(y, x, @ALL@(1.3888888888888889e-03));
    y = @MADD@(y, x, @ALL@(8.3333333333333332e-03));
    y = @MADD@(y, x, @ALL@(4.1666666666666664e-02));
    y = @MADD@(y, x, @ALL@(1.6666666666666666e-01));
    y = @MADD@(y, x, @ALL@(0.5));
    y = @MADD@(@MUL@(y, x), x, x);
    y = @ADD@(y, @ALL@(1.0));
@SCALE@
}
