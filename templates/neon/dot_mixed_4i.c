/* Sums of products of bytes.
 *
 * flags: -march=armv8.6-a
 * NAME = dot_mixed_4i
 */
/* each lane of c plus four products, of u8 and i8 */
static inline int32x4_t @NAME@(int32x4_t c, int32x4_t a, int32x4_t b)
{
    return vusdotq_s32(c, vreinterpretq_u8_s32(a), vreinterpretq_s8_s32(b));
}
