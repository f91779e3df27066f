/* Of log: y unless a is no positive number.
 *
 * part of math/log_f32.c
 */
    y = @SELECT@(@LT@(zero, a), y, @FULL@(NAN));
    y = @SELECT@(@EQ@(a, zero), @SUB@(zero, inf), y);
    return @SELECT@(@EQ@(a, inf), inf, y);
