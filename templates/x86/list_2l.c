/* Two integers of 64 bits in a register.
 *
 * flags: -msse4.2
 * NAME = list_2l
 */
static inline __m128i @NAME@(int64_t a, int64_t b) { return _mm_set_epi64x(b, a); }
