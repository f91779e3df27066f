/* A conversion to integers of half as many bits, of whole registers.
 *
 * flags: -mavx2
 * NAME = low_words_4
 */
/* the low halves of 4 numbers */
static inline __m128i @NAME@(__m256i a)
{
    const __m256i even = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);

    return _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(a, even));
}
