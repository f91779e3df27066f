/* Sums of products of bf16.
 *
 * flags: -march=armv8.6-a
 * NAME = pairs_4f
 */
/* each lane of c plus two products, these and their sum rounded to odd, subnormal numbers as
 * zeros */
static inline float32x4_t @NAME@(float32x4_t c, int32x4_t a, int32x4_t b)
{
    return vbfdotq_f32(c, vreinterpretq_bf16_s32(a), vreinterpretq_bf16_s32(b));
}
