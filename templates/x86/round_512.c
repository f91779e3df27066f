/* C's round, with masks of AVX-512: truncated, and one further where half or more was cut off.
 *
 * flags: -mavx512f -mavx512dq
 * NAME = round_16f
 * VECTOR = __m512
 * MASK = __mmask16
 * PS = ps
 */
/* to the nearest integers, halves away from zero */
static inline @VECTOR@ @NAME@(@VECTOR@ a)
{
    const @VECTOR@ sign = _mm512_and_@PS@(a, _mm512_set1_@PS@(-0.0));
    const @VECTOR@ one = _mm512_or_@PS@(sign, _mm512_set1_@PS@(1.0));
    const @VECTOR@ whole = _mm512_roundscale_@PS@(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
    const @VECTOR@ left = _mm512_abs_@PS@(_mm512_sub_@PS@(a, whole));
    const @MASK@ up = _mm512_cmp_@PS@_mask(left, _mm512_set1_@PS@(0.5), _CMP_GE_OQ);

    return _mm512_mask_add_@PS@(whole, up, whole, one);
}
