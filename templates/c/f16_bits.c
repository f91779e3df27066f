/* The bits of f16, for compilers that have no such type.
 *
 * NAME = f16_bits
 */
#ifndef __FLT16_MANT_DIG__
/* to the nearest, ties to even; 0.5 has the last bit of the smallest numbers */
static inline uint16_t @NAME@(float a)
{
    uint32_t bits, sign;
    memcpy(&bits, &a, sizeof(bits));
    sign = bits >> 16 & 0x8000;
    bits &= 0x7fffffff;
    if (bits > 0x7f800000)
        return (uint16_t)(sign | 0x7e00 | (bits >> 13 & 0x3ff));
    if (bits >= 0x477ff000)
        return (uint16_t)(sign | 0x7c00);
    if (bits >= 0x38800000)
        return (uint16_t)(sign | (bits - 0x38000000 + 0xfff + (bits >> 13 & 1)) >> 13);
    a = (a < 0.0f ? -a : a) + 0.5f;
    memcpy(&bits, &a, sizeof(bits));
    return (uint16_t)(sign | (bits - 0x3f000000));
}
#endif
