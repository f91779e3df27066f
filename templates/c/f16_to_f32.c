/* f16 as float, by its bits where the compiler has no such type.
 *
 * before: c/f16_type.c
 * NAME = f16_to_f32
 */
static inline float @NAME@(polynest_f16 a)
{
#ifdef __FLT16_MANT_DIG__
    return a;
#else
    const uint32_t size = a & 0x7fffu;
    uint32_t bits = (size << 13) + (size < 0x7c00 ? 0x38000000 : 0x70000000);
    float value = (float)size * 0x1p-24f;
    if (size < 0x400)
        memcpy(&bits, &value, sizeof(bits));
    bits |= (uint32_t)(a & 0x8000u) << 16;
    memcpy(&value, &bits, sizeof(value));
    return value;
#endif
}
