/* The lanes in opposite order.
 *
 * flags: -mavx512f
 * NAME = reversed_8d
 * VECTOR = __m512d
 * KIND = pd
 * NUMBERS = _mm512_setr_epi64(7, 6, 5, 4, 3, 2, 1, 0)
 */
static inline @VECTOR@ @NAME@(@VECTOR@ a)
{
    return _mm512_permutexvar_@KIND@(@NUMBERS@, a);
}
