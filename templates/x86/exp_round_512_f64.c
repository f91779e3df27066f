/* Of exp with AVX-512: n.
 *
 * part of math/exp_f64.c
 */
    const __m512d near = _mm512_max_pd(_mm512_set1_pd(-746.0), _mm512_min_pd(_mm512_set1_pd(710.0), a));
    const __m512d times = _mm512_mul_pd(near, _mm512_set1_pd(1.4426950408889634));
    const __m512d n = _mm512_roundscale_pd(times, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
