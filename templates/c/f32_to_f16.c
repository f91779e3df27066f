/* A float as f16.
 *
 * before: c/f16_type.c
 * before: c/f16_bits.c
 * NAME = f32_to_f16
 * F16_BITS = f16_bits
 */
static inline polynest_f16 @NAME@(float a)
{
#ifdef __FLT16_MANT_DIG__
    return (polynest_f16)a;
#else
    return @F16_BITS@(a);
#endif
}
