/* The same of two operands.
 *
 * flags: -mavx2
 * text: __m256 pow_8f(__m256 a, __m256 b);
 * NAME = pow_4f
 * TYPE = __m128
 * FUNCTION = pow_8f
 * DOUBLED = _mm256_set_m128({a}, {a})
 * FIRST_HALF = _mm256_castps256_ps128
 */
static inline @TYPE@ @NAME@(@TYPE@ a, @TYPE@ b)
{
    return @FIRST_HALF@(@FUNCTION@(@DOUBLED@(a), @DOUBLED@(b)));
}
