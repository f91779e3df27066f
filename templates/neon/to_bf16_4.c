/* f32 as the bits of bf16.
 *
 * NAME = to_bf16_4
 */
/* to the nearest, ties to even */
static inline uint16x4_t @NAME@(float32x4_t a)
{
    const uint32x4_t bits = vreinterpretq_u32_f32(a);
    const uint32x4_t odd = vandq_u32(vshrq_n_u32(bits, 16), vdupq_n_u32(1));
    const uint32x4_t half = vaddq_u32(odd, vdupq_n_u32(0x7fff));
    const uint32x4_t quiet = vorrq_u32(bits, vdupq_n_u32(0x400000));
    const uint32x4_t number = vceqq_f32(a, a);

    return vshrn_n_u32(vbslq_u32(number, vaddq_u32(bits, half), quiet), 16);
}
