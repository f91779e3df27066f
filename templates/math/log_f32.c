/* log by Cephes' polynomial: log(m) + e log(2), with m in [sqrt(1/2), sqrt(2)). SPLIT computes m and e, SPECIAL puts in
 * what is none.
 *
 * values: samples/avx2_f32
 * flags: -mavx2 -mfma
 * NAME = log_8f
 * MOST = 0.9
 * SPLIT = @math/log_bits@
 * SPECIAL = @math/log_special@
 */
/* at most @MOST@ units in the last place off */
@INLINE@ @TYPE@ @NAME@(@TYPE@ a)
{
@SPLIT@
    const @TYPE@ x = @SUB@(m, @ALL@(1.0f));
    const @TYPE@ z = @MUL@(x, x);
    @TYPE@ y = @MADD@(@ALL@(7.0376836292e-2f), x, @ALL@(-1.1514610310e-1f));

    y = @MADD@(y, x, @ALL@(1.1676998740e-1f));
    y = @MADD@(y, x, @ALL@(-1.2420140846e-1f));
    y = @MADD@(y, x, @ALL@(1.4249322787e-1f));
    y = @MADD@(y, x, @ALL@(-1.6668057665e-1f));
    y = @MADD@(y, x, @ALL@(2.0000714765e-1f));
    y = @MADD@(y, x, @ALL@(-2.4999993993e-1f));
    y = @MADD@(y, x, @ALL@(3.3333331174e-1f));
    y = @MUL@(@MUL@(y, x), z);
    y = @MADD@(e, @ALL@(-2.12194440e-4f), y);
    y = @NMADD@(z, @ALL@(0.5f), y);
    y = @ADD@(x, y);
    y = @MADD@(e, @ALL@(0.693359375f), y);
@SPECIAL@
}
