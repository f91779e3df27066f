/* A conversion to bytes.
 *
 * NAME = low_bytes_2
 */
/* the low bytes of 2 words, again and again */
static inline int8x8_t @NAME@(int32x2_t a)
{
    const int16x4_t b = vmovn_s32(vcombine_s32(a, a));

    return vmovn_s16(vcombine_s16(b, b));
}
