/* Of log with AVX-512: y unless a is 0 or infinite.
 *
 * part of math/log_f32.c
 * PS = ps
 */
    y = _mm512_mask_mov_@PS@(y, _mm512_cmp_@PS@_mask(a, _mm512_set1_@PS@(INFINITY), _CMP_EQ_OQ), a);
    return _mm512_mask_mov_@PS@(y, _mm512_cmp_@PS@_mask(a, _mm512_setzero_@PS@(), _CMP_EQ_OQ),
                              _mm512_set1_@PS@(-INFINITY));
