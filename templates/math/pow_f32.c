/* pow, computed in f64; that of f64 would need more digits than there are. Where a is not positive, or one is not finite,
 * the library computes all lanes.
 *
 * before: math/exp_f64.c
 * before: math/log_f64.c
 * values: samples/avx2_f32
 * flags: -mavx2 -mfma
 * text: __m256 pow_each_8f(__m256 a, __m256 b);
 * NAME = pow_8f
 * EACH = pow_each_8f
 * EXP = exp_4d
 * LOG = log_4d
 */
/* at most 0.6 units in the last place off */
@INLINE@ @TYPE@ @NAME@(@TYPE@ a, @TYPE@ b)
{
    const @TYPE@ inf = @FULL@(INFINITY);
    const @MASK@ positive = @LT@(@ZERO@, a);
    const @MASK@ finite = @AND@(@PART@(@LT@(a, inf)), @PART@(@LT@(@ABS@(b), inf)));
    const @MASK@ proper = @AND@(positive, finite);

    if (@NOT_ALL@(proper))
        return @EACH@(a, b);
    const @WIDE@ low = @LOG@(@LOW@(a));
    const @WIDE@ high = @LOG@(@HIGH@(a));
    const @WIDE@ x = @EXP@(@WIDE_MUL@(@LOW@(b), low));
    const @WIDE@ y = @EXP@(@WIDE_MUL@(@HIGH@(b), high));

    return @JOIN@(x, y);
}
