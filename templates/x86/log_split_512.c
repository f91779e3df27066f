/* Of log with AVX-512, which has instructions for exponents: m and e. F: the suffix of constants.
 *
 * part of math/log_f32.c
 * PS = ps
 * ROOT = 1.41421354f
 * F = f
 */
    const @TYPE@ fraction = _mm512_getmant_@PS@(a, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_nan);
    const @MASK@ high = _mm512_cmp_@PS@_mask(fraction, _mm512_set1_@PS@(@ROOT@), _CMP_GT_OQ);
    const @TYPE@ m = _mm512_mask_mul_@PS@(fraction, high, fraction, _mm512_set1_@PS@(0.5@F@));
    const @TYPE@ power = _mm512_getexp_@PS@(a);
    const @TYPE@ e = _mm512_mask_add_@PS@(power, high, power, _mm512_set1_@PS@(1.0@F@));
