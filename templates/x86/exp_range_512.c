/* Of exp with AVX-512.
 *
 * part of math/exp_f32.c
 */
    /* the smaller one in magnitude: beyond what floats can be, n alone tells the result */
    const __m512 x = _mm512_range_ps(rest, _mm512_set1_ps(0.5f), 2);
