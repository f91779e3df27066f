/* Of log: a = 2^e m by bits, and of up times a where a is subnormal. What is between the bits of sqrt(1/2), ROOT, and of
 * 1 is added to them: then they are an exponent, and how far m is above sqrt(1/2). The exponent becomes a number as the
 * last bits of a power of two.
 *
 * part of math/log_f32.c
 * TINY = 1.17549435e-38f
 * UP = 8388608.0f
 * BETWEEN = 0x004afb0d
 * LOW_BITS = 0x007fffff
 * ROOT = 0x3f3504f3
 * DIGITS = 23
 * POWER = 0x4b000000
 * BIAS_UP = 8388608.0f + 127 + 23
 * BIAS = 8388608.0f + 127
 */
    const @TYPE@ zero = @ZERO@;
    const @TYPE@ inf = @FULL@(INFINITY);
    const @MASK@ tiny = @LT@(a, @ALL@(@TINY@));
    const @TYPE@ up = @MUL@(a, @ALL@(@UP@));
    const @INTS@ bits = @BITS@(@SELECT@(tiny, up, a));
    const @INTS@ moved = @IADD@(bits, @IALL@(@BETWEEN@));
    const @INTS@ above = @IAND@(moved, @IALL@(@LOW_BITS@));
    const @TYPE@ m = @NUMBER@(@IADD@(above, @IALL@(@ROOT@)));
    const @INTS@ exponent = @SHR@(moved, @DIGITS@);
    const @TYPE@ sum = @NUMBER@(@IOR@(exponent, @IALL@(@POWER@)));
    const @TYPE@ bias = @SELECT@(tiny, @FULL@(@BIAS_UP@), @FULL@(@BIAS@));
    const @TYPE@ e = @SUB@(sum, bias);
