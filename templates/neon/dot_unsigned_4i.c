/* Sums of products of bytes.
 *
 * flags: -march=armv8.2-a+dotprod
 * NAME = dot_unsigned_4i
 */
/* each lane of c plus four products of bytes without sign */
static inline int32x4_t @NAME@(int32x4_t c, int32x4_t a, int32x4_t b)
{
    return vreinterpretq_s32_u32(vdotq_u32(vreinterpretq_u32_s32(c), vreinterpretq_u8_s32(a),
                                           vreinterpretq_u8_s32(b)));
}
