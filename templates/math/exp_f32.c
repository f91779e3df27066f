/* exp: 2^n e^x, with x what is left of a after n times ln 2. ROUND computes n, SCALE multiplies y by 2^n. The polynomial
 * is the best one of its degree for what is left. The first part of ln 2 has so few digits that its products with n are
 * exact, since not all sets have fused operations; where compilers contract, nothing gets worse.
 *
 * values: samples/avx2_f32
 * flags: -mavx2 -mfma
 * NAME = exp_8f
 * MOST = 1.0
 * ROUND = @math/exp_round@
 * NEAR = near
 * LAST = x
 * RANGE =
 * SCALE = @math/exp_scale@
 */
/* at most @MOST@ units in the last place off */
@INLINE@ @TYPE@ @NAME@(@TYPE@ a)
{
@ROUND@
    const @TYPE@ left = @NMADD@(n, @ALL@(0.693359375f), @NEAR@);
    const @TYPE@ @LAST@ = @NMADD@(n, @ALL@(-2.12194440e-4f), left);
@RANGE@
    @TYPE@ y = @MADD@(@ALL@(1.38146025e-3f), x, @ALL@(8.36871521e-3f));

    y = @MADD@(y, x, @ALL@(4.16683879e-2f));
    y = @MADD@(y, x, @ALL@(1.66665206e-1f));
    y = @MADD@(y, x, @ALL@(4.99999934e-1f));
    y = @MADD@(y, x, @ALL@(1.0f));
    y = @MADD@(y, x, @ALL@(1.0f));
@SCALE@
}
