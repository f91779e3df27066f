/* Sums of products of bytes.
 *
 * flags: -march=armv8.2-a+dotprod
 * NAME = dot_4i
 */
/* each lane of c plus four products of bytes */
static inline int32x4_t @NAME@(int32x4_t c, int32x4_t a, int32x4_t b)
{
    return vdotq_s32(c, vreinterpretq_s8_s32(a), vreinterpretq_s8_s32(b));
}
