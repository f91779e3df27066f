/* A function of f32 in as many lanes as f64 has, by the function of whole registers, FUNCTION. DOUBLED: a register that
 * has the lanes twice, FIRST_HALF: of such a one.
 *
 * flags: -mavx2
 * text: __m256 exp_8f(__m256 a);
 * NAME = exp_4f
 * TYPE = __m128
 * FUNCTION = exp_8f
 * DOUBLED = _mm256_set_m128({a}, {a})
 * FIRST_HALF = _mm256_castps256_ps128
 */
static inline @TYPE@ @NAME@(@TYPE@ a)
{
    return @FIRST_HALF@(@FUNCTION@(@DOUBLED@(a)));
}
