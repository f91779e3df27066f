/* The factor that all lanes of a dot product have.
 *
 * flags: -msse4.2
 * NAME = bytes_4
 */
/* four bytes as one number */
static inline int @NAME@(const void *p) { return _mm_cvtsi128_si32(_mm_loadu_si32(p)); }
