/* C's round. F: the suffix of constants.
 *
 * flags: -mavx2
 * NAME = round_8f
 * VECTOR = __m256
 * PS = ps
 * F = f
 */
/* to the nearest integers, halves away from zero */
static inline @VECTOR@ @NAME@(@VECTOR@ a)
{
    const @VECTOR@ sign = _mm256_and_@PS@(a, _mm256_set1_@PS@(-0.0@F@));
    const @VECTOR@ whole = _mm256_round_@PS@(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
    const @VECTOR@ left = _mm256_andnot_@PS@(_mm256_set1_@PS@(-0.0@F@), _mm256_sub_@PS@(a, whole));
    const @VECTOR@ up = _mm256_cmp_@PS@(left, _mm256_set1_@PS@(0.5@F@), _CMP_GE_OQ);
    const @VECTOR@ next = _mm256_add_@PS@(whole, _mm256_or_@PS@(_mm256_set1_@PS@(1.0@F@), sign));

    return _mm256_blendv_@PS@(whole, next, up);
}
