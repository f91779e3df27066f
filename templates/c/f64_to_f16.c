/* A double as f16.
 *
 * before: c/f16_type.c
 * before: c/f16_bits.c
 * NAME = f64_to_f16
 * F16_BITS = f16_bits
 */
/* rounded to an odd float on the way, and so only once */
static inline polynest_f16 @NAME@(double a)
{
#ifdef __FLT16_MANT_DIG__
    return (polynest_f16)a;
#else
    float b = (float)a;
    uint32_t bits;
    memcpy(&bits, &b, sizeof(bits));
    if (((double)b < a || (double)b > a) && !(bits & 1))
        bits += ((double)b < a) == (a > 0.0) ? 1u : UINT32_MAX;
    memcpy(&b, &bits, sizeof(b));
    return @F16_BITS@(b);
#endif
}
