/* Of exp with AVX-512, which scales by numbers of its own: n.
 *
 * part of math/exp_f32.c
 */
    const __m512 rounder = _mm512_set1_ps(12582912.0f); /* what is added to it is rounded */
    const __m512 log2_e = _mm512_set1_ps(1.44269504f);
    const __m512 n = _mm512_sub_ps(_mm512_fmadd_ps(a, log2_e, rounder), rounder);
