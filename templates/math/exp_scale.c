/* Of exp: y times both factors. DIGITS: of a number, without its exponent.
 *
 * part of math/exp_f32.c
 * DIGITS = 23
 */
    y = @MUL@(y, @NUMBER@(@SHL@(half, @DIGITS@)));
    return @MUL@(y, @NUMBER@(@SHL@(other, @DIGITS@)));
