/* Absolute values of integers of 64 bits.
 *
 * flags: -mavx2
 * NAME = abs_4l
 */
static inline __m256i @NAME@(__m256i a)
{
    const __m256i sign = _mm256_cmpgt_epi64(_mm256_setzero_si256(), a);

    return _mm256_sub_epi64(_mm256_xor_si256(a, sign), sign);
}
