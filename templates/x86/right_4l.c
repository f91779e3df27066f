/* Shifts of signed integers of 64 bits.
 *
 * flags: -mavx2
 * NAME = right_4l
 */
/* a shifted to the right, copies of the sign coming in */
static inline __m256i @NAME@(__m256i a, __m256i b)
{
    const __m256i sign = _mm256_cmpgt_epi64(_mm256_setzero_si256(), a);

    return _mm256_xor_si256(_mm256_srlv_epi64(_mm256_xor_si256(a, sign), b), sign);
}
