/* Of exp: n, a over ln 2, rounded. The last bits of sum are those of n and of two exponents of 1: halved, they are those
 * of two factors, the product of which is 2^n and subnormal where that is. LOWEST, HIGHEST: beyond, nothing changes.
 *
 * part of math/exp_f32.c
 * ROUNDER = 12582912.0f + 2 * 127
 * LOWEST = -104.0f
 * HIGHEST = 89.0f
 * LOG2_E = 1.44269504f
 */
    /* what is added to it is rounded */
    const @CONSTANT@ rounder = @ALL@(@ROUNDER@);
    const @TYPE@ near = @MOST_OF@(@LOWEST@, @LEAST_OF@(@HIGHEST@, a));
    const @TYPE@ sum = @MADD@(near, @ALL@(@LOG2_E@), rounder);
    const @TYPE@ n = @SUB@(sum, rounder);
    /* exponents, in their last bits, of factors the product of which is 2^n */
    const @INTS@ both = @BITS@(sum);
    const @INTS@ half = @SHR@(both, 1);
    const @INTS@ other = @ISUB@(both, half);
